import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiSecurity } from '@nestjs/swagger';
import { BrandNotFound, RequiresScopes, type Scope } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses, ReturnsPage } from '#libs/http';

export interface OperationOptions {
  /** operationId, in camel case. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** All are required; documented as `x-required-scopes`. */
  readonly scopes: readonly Scope[];
  /** A sentence about scopes that only some requests need. */
  readonly alsoNeeds?: string;
  readonly answers: Type<unknown>;
  /** The response is one page of these. */
  readonly paged?: boolean;
  /** Statuses of problems in addition to 404 (brand not found) and those that `completeOperations` adds. */
  readonly problems?: readonly number[];
}

/** Declares one content operation: documentation, response and required scopes. */
export function Operation(options: OperationOptions): MethodDecorator {
  const needs = `Needs the scope ${options.scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
  const alsoNeeds = options.alsoNeeds ? `; ${options.alsoNeeds}` : '';
  return applyDecorators(
    RequiresScopes(...options.scopes),
    ApiOperation({
      operationId: options.id,
      summary: options.summary,
      description: `${options.description}\n\n${needs}${alsoNeeds}.`,
    }),
    ApiBearerAuth(BEARER_AUTH),
    ApiSecurity(API_KEY_AUTH),
    ApiHeader({
      name: 'X-Brand-ID',
      description: 'The brand this is about; without it all brands the caller may see.',
      required: false,
      schema: { type: 'string', format: 'uuid' },
    }),
    options.paged
      ? ReturnsPage(options.answers, `${options.summary}, one page.`)
      : ApiOkResponse({ description: options.summary, type: options.answers }),
    problemResponses(BrandNotFound, ...(options.problems ?? [])),
  );
}
