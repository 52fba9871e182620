import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, DECORATORS, getSchemaPath } from '@nestjs/swagger';
import type { ErrorKind } from '#libs/errors';
import { problemBody } from './problem.js';
import { ProblemDto } from './problem.dto.js';
import { STATUS_OF_KIND, textsFor } from './status-texts.js';

const SAMPLE_REQUEST_ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } },
};

const HEADERS: Readonly<Record<number, Record<string, object>>> = {
  401: {
    'WWW-Authenticate': {
      description: 'How to authenticate (RFC 6750, section 3).',
      required: true,
      schema: { type: 'string', example: 'Bearer realm="api", error="invalid_token"' },
    },
  },
  403: {
    'WWW-Authenticate': {
      description: 'Where a scope is missing: `error="insufficient_scope"` and the scopes that are needed.',
      schema: { type: 'string' },
    },
  },
  409: {
    'Retry-After': {
      description: 'Seconds to wait, where waiting helps.',
      schema: { type: 'integer', minimum: 1 },
    },
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

/** Descriptions that name codes in addition to the title. */
const DESCRIPTIONS: Readonly<Record<number, string>> = {
  503: 'Not available just now, such as `database_unavailable`, or `database_timeout` when a statement reached its time limit.',
};

/** The header of every download. */
export const CONTENT_DISPOSITION = {
  description: '`attachment` and the name of the file (RFC 6266).',
  required: true,
  schema: { type: 'string' as const },
};

/** The schema and an example of one status in the document. */
export function problemResponse(status: number) {
  const words = textsFor(status);
  return {
    description: DESCRIPTIONS[status] ?? words.title,
    headers: HEADERS[status] ?? {},
    content: {
      'application/problem+json': {
        schema: { $ref: getSchemaPath(ProblemDto) },
        example: problemBody({ status, ...words }, SAMPLE_REQUEST_ID),
      },
    },
  };
}

/**
 * Documents the errors of an operation; for handlers and controllers. Names what is its own: `completeOperations` adds the errors of
 * every operation, of credentials and of scopes.
 * @param errors as declared, or statuses
 */
export function problemResponses(
  ...errors: readonly (number | { readonly kind: ErrorKind })[]
): ClassDecorator & MethodDecorator {
  const statuses = new Set(
    errors.map((each) => (typeof each === 'number' ? each : STATUS_OF_KIND[each.kind])),
  );
  return applyDecorators(ApiExtraModels(ProblemDto), ...[...statuses].map(unlessDocumented));
}

/** Swagger joins the descriptions of decorators that name the same status. */
const unlessDocumented =
  (status: number): MethodDecorator & ClassDecorator =>
  (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const place = (descriptor?.value as object | undefined) ?? target;
    const documented = Reflect.getMetadata(DECORATORS.API_RESPONSE, place) as object | undefined;
    if (documented && status in documented) return;
    Reflect.apply(ApiResponse({ status, ...problemResponse(status) }), undefined, [target, key, descriptor]);
  };
