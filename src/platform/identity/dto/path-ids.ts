import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ID } from './examples.js';

/** Documents path parameters that are ids; `ParseIdPipe` accepts any UUID. */
export function PathIds(...names: string[]): ClassDecorator & MethodDecorator {
  const schema = { type: 'string' as const, format: 'uuid', example: ID };
  return applyDecorators(...names.map((name) => ApiParam({ name, schema })));
}
