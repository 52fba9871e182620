import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable, UseInterceptors } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { listWarnings } from './list-warnings.js';

/** Adds `warnings` to an answer whose request had parameters that were not applied as sent. */
@Injectable()
export class ListWarningsInterceptor implements NestInterceptor<object, object> {
  intercept(_context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    return next.handle().pipe(
      map((body) => {
        const warnings = listWarnings();
        return warnings.length === 0 ? body : { ...body, warnings };
      }),
    );
  }
}

/** For a handler that reads parameters as lists do and answers something else than a page. */
export const WarnsOfParameters = (): MethodDecorator => UseInterceptors(ListWarningsInterceptor);
