import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ID } from './examples.js';

/** Documents the parameters of a path that are ids; for `ParseIdPipe`, any UUID. */
export function PathIds(...names: string[]): ClassDecorator & MethodDecorator {
  const schema = { type: 'string' as const, format: 'uuid', example: ID };
  return applyDecorators(...names.map((name) => ApiParam({ name, schema })));
}
