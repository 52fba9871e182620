import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { UseInterceptors } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { warnOfParameter } from './list-warnings.js';

/** For a list whose callers are told of parameters that `query`, the class of its parameters, does not have. */
export function WarnsOfUnknownParameters(query: Type<object>): MethodDecorator {
  const known = new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(query, '', false, false)
      .map(({ propertyName }) => propertyName),
  );
  const message = `is not a parameter of this list; send one of ${[...known].sort().join(', ')}`;
  class UnknownParametersInterceptor implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      const sent = Object.keys(context.switchToHttp().getRequest<Request>().query);
      for (const parameter of sent.filter((name) => !known.has(name)))
        warnOfParameter({ parameter, code: 'unknown_parameter', message });
      return next.handle();
    }
  }
  return UseInterceptors(new UnknownParametersInterceptor());
}
