import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { listWarnings, warnOfParameter } from './list-warnings.js';
import { parametersOf } from './parameters-of.js';

/** Adds `warnings` to a response whose request had parameters that were changed, ignored or unknown. */
export class ListWarningsInterceptor implements NestInterceptor<object, object> {
  private known?: ReadonlySet<string>;

  /** @param parameters names of the list's parameters; called once, at the first request */
  constructor(private readonly parameters: () => ReadonlySet<string>) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    this.warnOfUnknown(Object.keys(context.switchToHttp().getRequest<Request>().query));
    return next.handle().pipe(
      map((body) => {
        const warnings = listWarnings();
        return warnings.length === 0 ? body : { ...body, warnings };
      }),
    );
  }

  private warnOfUnknown(sent: readonly string[]): void {
    const known = (this.known ??= this.parameters());
    const unknown = sent.filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    const instead =
      known.size > 0 ? `send one of ${[...known].sort().join(', ')}` : 'leave it out: there are none';
    const message = `is not a parameter of this list and is ignored; ${instead}`;
    for (const parameter of unknown) warnOfParameter({ parameter, code: 'unknown_parameter', message });
  }
}

/** For a handler with list parameters that returns no page; `ReturnsPage` includes it. */
export const WarnsOfParameters = (): MethodDecorator => (target, key, descriptor) =>
  UseInterceptors(new ListWarningsInterceptor(() => parametersOf(target, key)))(target, key, descriptor);
