import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { etagOf, isNamed } from './etag.js';

/** What an answer holds that does not follow from its version; null or undefined: nothing. */
type Besides<Body> = (body: Body) => unknown;

/**
 * Tags an answer with the `version` of its body, and sends 304 instead to who has that version. Express
 * would do the latter too, but not for browsers: with If-None-Match they send `Cache-Control: no-cache`.
 */
export class EtagInterceptor implements NestInterceptor {
  constructor(private readonly besides: Besides<never>) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(map((body) => this.tagged(http.getRequest<Request>(), http.getResponse<Response>(), body)));
  }

  private tagged(request: Request, response: Response, body: unknown): unknown {
    const version = (body as { version?: unknown } | null | undefined)?.version;
    if (typeof version !== 'number') return body;
    const etag = etagOf(version, this.besides(body as never));
    response.setHeader('ETag', etag);
    if (request.method !== 'GET' && request.method !== 'HEAD') return body;
    if (!isNamed(etag, request.headers['if-none-match'])) return body;
    response.status(304);
    return undefined;
  }
}

/** Marks the operation in the document until `completeOperations` says what that means for its method. */
export const RETURNS_ETAG = 'x-returns-etag';

/**
 * A handler that answers one resource with a numeric `version`.
 * @param besides what may change in the answer while the version stays, such as what follows from another resource: a tag
 * must tell those answers apart (RFC 9110, 8.8.1)
 */
export function ReturnsEtag<Body>(besides: Besides<Body> = () => null): MethodDecorator {
  return applyDecorators(UseInterceptors(new EtagInterceptor(besides)), ApiExtension(RETURNS_ETAG, true));
}
