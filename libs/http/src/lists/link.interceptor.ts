import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { WarnsOfParameters } from './list-warnings.interceptor.js';
import { type Page, PageDto } from './page.js';

/** Adds `Link: <…>; rel="next"` (RFC 8288) to pages that have a next one. */
@Injectable()
export class LinkInterceptor implements NestInterceptor<Page<unknown>, Page<unknown>> {
  intercept(context: ExecutionContext, next: CallHandler<Page<unknown>>): Observable<Page<unknown>> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((page) => {
        const { hasMore, nextCursor: cursor } = page.pagination;
        if (hasMore && cursor)
          http.getResponse<Response>().append('Link', nextLink(http.getRequest<Request>(), cursor));
        return page;
      }),
    );
  }
}

/**
 * A handler that returns a page of `item`: schema, example headers, the Link header and warnings.
 * * @param page its schema, if it has members besides those of a page
 */
export function ReturnsPage(
  item: Type<unknown>,
  description = 'One page of the list.',
  page: Type<unknown> = PageDto(item),
): MethodDecorator {
  const link = { description: 'Address of the next page, rel="next".', schema: { type: 'string' as const } };
  return applyDecorators(
    UseInterceptors(LinkInterceptor),
    WarnsOfParameters(),
    ApiOkResponse({ description, type: page, headers: { Link: link } }),
  );
}

/** Relative to the request, so that it works behind any proxy. */
function nextLink(request: Request, cursor: string): string {
  const url = new URL(request.originalUrl, 'http://relative');
  url.searchParams.set('cursor', cursor);
  url.searchParams.delete('page');
  return `<${url.pathname}${url.search}>; rel="next"`;
}
