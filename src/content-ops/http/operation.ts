import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiSecurity,
} from '@nestjs/swagger';
import { BrandNotFound, RequiresScopes, type Scope } from '#libs/auth';
import {
  API_KEY_AUTH,
  BEARER_AUTH,
  Idempotent,
  problemResponses,
  ReturnsEtag,
  ReturnsPage,
} from '#libs/http';
import { ChangedItemDto, type ContentItemDto } from './dto/content-item.dto.js';

export interface OperationOptions {
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

export function Operation(options: OperationOptions): MethodDecorator {
  const needs = `Needs the scope ${options.scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
  const alsoNeeds = options.alsoNeeds ? `; ${options.alsoNeeds}` : '';
  return applyDecorators(
    RequiresScopes(...options.scopes),
    ApiOperation({
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

interface ItemChangeOptions extends Omit<OperationOptions, 'answers' | 'problems'> {
  readonly body: Type<unknown>;
  /** The body is optional. */
  readonly bodyIsOptional?: boolean;
}

const ITEM = {
  name: 'contentId',
  description: 'The id of the post.',
  schema: { type: 'string', format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' },
} as const;

/** Can change without the version: with another post of the thread, with a file, and when the proposed time passes. */
const extraOf = ({ blockedBy, safeActions, timestamps, media, blockers }: ContentItemDto) => {
  const own = blockedBy === null && timestamps.proposedAt === null ? null : { blockedBy, safeActions };
  return media.length > 0 ? { own, media, blockers } : own;
};

/** An operation that reads one item; `If-None-Match` with its ETag answers 304. */
export function ItemRead(options: Omit<OperationOptions, 'problems'>): MethodDecorator {
  return applyDecorators(ReturnsEtag(extraOf), Operation(options), ApiParam(ITEM));
}

/** An operation that changes one item and returns it. Supports `If-Match`. */
export function ItemChange({ body, bodyIsOptional, ...options }: ItemChangeOptions): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ReturnsEtag(extraOf),
    Operation({ ...options, answers: ChangedItemDto, problems: [400, 409, 412] }),
    ApiParam(ITEM),
    ApiBody({ type: body, required: !bodyIsOptional }),
  );
}

/** ItemChange for POST, with `Idempotency-Key`. */
export function ItemAction(options: ItemChangeOptions): MethodDecorator {
  return applyDecorators(Idempotent(), ItemChange(options));
}
