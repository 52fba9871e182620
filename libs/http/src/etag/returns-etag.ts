import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { applyDecorators, Injectable, UseInterceptors } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { etagOf, isNamed } from './etag.js';

/**
 * Tags an answer with the `version` of its body, and sends 304 instead to who has that version. Express
 * would do the latter too, but not for browsers: with If-None-Match they send `Cache-Control: no-cache`.
 */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(map((body) => tagged(http.getRequest<Request>(), http.getResponse<Response>(), body)));
  }
}

function tagged(request: Request, response: Response, body: unknown): unknown {
  const version = (body as { version?: unknown } | null | undefined)?.version;
  if (typeof version !== 'number') return body;
  const etag = etagOf(version);
  response.setHeader('ETag', etag);
  if (request.method !== 'GET' && request.method !== 'HEAD') return body;
  if (!isNamed(etag, request.headers['if-none-match'])) return body;
  response.status(304);
  return undefined;
}

/** Marks the operation in the document until `completeOperations` says what that means for its method. */
export const RETURNS_ETAG = 'x-returns-etag';

/** A handler that answers one resource with a numeric `version`. */
export function ReturnsEtag(): MethodDecorator {
  return applyDecorators(UseInterceptors(EtagInterceptor), ApiExtension(RETURNS_ETAG, true));
}
