import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { problemBody } from './problem.js';
import { ProblemDto } from './problem.dto.js';
import { wordsFor } from './status-words.js';

const SAMPLE_REQUEST_ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';

const HEADERS: Readonly<Record<number, Record<string, object>>> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  503: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
};

/** What one status looks like in the document: schema and an example of the generic form. */
export function problemResponse(status: number) {
  const words = wordsFor(status);
  return {
    description: words.title,
    headers: HEADERS[status] ?? {},
    content: {
      'application/problem+json': {
        schema: { $ref: getSchemaPath(ProblemDto) },
        example: problemBody({ status, ...words }, SAMPLE_REQUEST_ID),
      },
    },
  };
}

/** Documents the errors an operation may answer with, by status; put it on a handler or a controller. */
export function problemResponses(...statuses: number[]): ClassDecorator & MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ProblemDto),
    ...statuses.map((status) => ApiResponse({ status, ...problemResponse(status) })),
  );
}
