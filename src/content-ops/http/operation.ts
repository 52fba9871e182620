import type { Type } from '@nestjs/common';
import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiSecurity } from '@nestjs/swagger';
import type { Scope } from '#libs/auth';
import { RequiresScopes } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses, ReturnsPage } from '#libs/http';

export interface OperationOptions {
  /** operationId, in camel case. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** All of them are needed; published as `x-required-scopes`. */
  readonly scopes: readonly Scope[];
  /** Further scopes that some uses of the operation need, in words. */
  readonly alsoNeeds?: string;
  readonly answers: Type<unknown>;
  /** What is answered is one page of these. */
  readonly paged?: boolean;
  /** Statuses of problems besides those of every operation: 401, 403 and 404 (of the brand named). */
  readonly problems?: readonly number[];
}

/** One content operation as the outside sees it: what it needs, what it answers, whom it lets in. */
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
    problemResponses(401, 403, 404, ...(options.problems ?? [])),
  );
}
