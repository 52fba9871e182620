import type { NestMiddleware } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { showPage } from './connected.page.js';
import { ConnectStartsStore } from '../sign-in/connect-starts.store.js';

/**
 * A browser that opens an address cannot send a bearer token. `?startToken=…` of GET /api/integrations/{platform}/connect is
 * replaced, once, by the caller's token and the brand for which it was created. The caller is then validated as usual.
 */
@Injectable()
export class ConnectStartMiddleware implements NestMiddleware {
  constructor(private readonly starts: ConnectStartsStore) {}

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { startToken } = request.query;
    if (typeof startToken !== 'string') {
      next();
      return;
    }
    const start = await this.starts.take(startToken, String(request.params.platform));
    if (!start) {
      showPage(
        response,
        400,
        'Nothing was connected',
        'This address was already used or has expired. Start again.',
      );
      return;
    }
    request.headers.authorization = start.authorization;
    request.url = `${request.path}?${new URLSearchParams({ brandId: start.brandId }).toString()}`;
    next();
  }
}
