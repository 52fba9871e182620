import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiBody, ApiParam } from '@nestjs/swagger';
import { Idempotent, ReturnsEtag } from '#libs/http';
import { ChangedItemDto, type ContentItemDto } from './dto/content-item.dto.js';
import { Operation, type OperationOptions } from './operation.js';

export interface ItemChangeOptions extends Omit<OperationOptions, 'answers' | 'problems'> {
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
