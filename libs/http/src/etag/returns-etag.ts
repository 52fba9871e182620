import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { etagOf, matchesEtag } from './etag.js';

/** The part of a response that its version does not cover; null or undefined for none. */
type Extra<Body> = (body: Body) => unknown;

/**
 * Sets the ETag from the `version` of the body and answers 304 to clients that have it. Express does not do this for
 * browsers, which send `Cache-Control: no-cache` with If-None-Match.
 */
export class EtagInterceptor implements NestInterceptor {
  constructor(private readonly extra: Extra<never>) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(map((body) => this.tagged(http.getRequest<Request>(), http.getResponse<Response>(), body)));
  }

  private tagged(request: Request, response: Response, body: unknown): unknown {
    const version = (body as { version?: unknown } | null | undefined)?.version;
    if (typeof version !== 'number') return body;
    const etag = etagOf(version, this.extra(body as never));
    response.setHeader('ETag', etag);
    if (request.method !== 'GET' && request.method !== 'HEAD') return body;
    if (!matchesEtag(etag, request.headers['if-none-match'])) return body;
    response.status(304);
    return undefined;
  }
}

/** Marks the operation in the document for `completeOperations`. */
export const RETURNS_ETAG = 'x-returns-etag';

/**
 * A handler that returns one resource with a numeric `version`.
 * @param extra the part of the response that can change while the version does not, such as data of another resource: the
 * tag must differ then (RFC 9110, 8.8.1)
 */
export function ReturnsEtag<Body>(extra: Extra<Body> = () => null): MethodDecorator {
  return applyDecorators(UseInterceptors(new EtagInterceptor(extra)), ApiExtension(RETURNS_ETAG, true));
}
