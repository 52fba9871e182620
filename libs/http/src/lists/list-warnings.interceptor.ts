import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getMetadataStorage } from 'class-validator';
import type { Request } from 'express';
import 'reflect-metadata';
import { map, type Observable } from 'rxjs';
import { listWarnings, warnOfParameter } from './list-warnings.js';

interface RouteArgument {
  readonly index: number;
  /** Name of one parameter; undefined when the argument is the whole query. */
  readonly data?: unknown;
}

/**
 * Names of a handler's query parameters, from its `@Query()` arguments and their classes.
 * @param controller prototype of the class
 */
function parametersOf(controller: object, handler: string | symbol): ReadonlySet<string> {
  const declared: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, handler);
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, controller, handler) ?? []) as Type<object>[];
  const queries = Object.entries((declared ?? {}) as Record<string, RouteArgument>).filter(
    ([kind]) => Number.parseInt(kind) === (RouteParamtypes.QUERY as number),
  );
  return new Set(
    queries.flatMap(([, { data, index }]) => (typeof data === 'string' ? data : propertiesOf(types[index]))),
  );
}

function propertiesOf(query: Type<object> | undefined): string[] {
  if (!query) return [];
  const metadata = getMetadataStorage().getTargetValidationMetadatas(query, '', false, false);
  return metadata.map(({ propertyName }) => propertyName);
}

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
