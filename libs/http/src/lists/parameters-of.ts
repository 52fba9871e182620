import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getMetadataStorage } from 'class-validator';

interface RouteArgument {
  readonly index: number;
  /** Name of one parameter; undefined when the argument is the whole query. */
  readonly data?: unknown;
}

/**
 * Names of a handler's query parameters, from its `@Query()` arguments and their classes.
 * @param controller prototype of the class
 */
export function parametersOf(controller: object, handler: string | symbol): ReadonlySet<string> {
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
