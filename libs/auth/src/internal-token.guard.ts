import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { Public, setPrincipal } from '#libs/http';
import { AuthConfig } from './auth.config.js';
import { CredentialsAreNotValid } from './auth.errors.js';
import { TokenDigests } from './token-digests.js';

/** Requires the internal service token. Without a configured token, refuses every request. */
@Injectable()
export class InternalTokenGuard implements CanActivate {
  private readonly tokens: TokenDigests;

  constructor(config: AuthConfig) {
    this.tokens = new TokenDigests(config.internalToken ? [config.internalToken] : []);
  }

  /** @throws CredentialsAreNotValid */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const token = /^Bearer ([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!this.tokens.has(token)) throw new CredentialsAreNotValid();
    // Its idempotency keys are the same from every address.
    setPrincipal(request, 'internal');
    return true;
  }
}

/** For routes between processes of one service: the internal token instead of a caller. */
export const InternalOnly = () => applyDecorators(Public(), UseGuards(InternalTokenGuard));
