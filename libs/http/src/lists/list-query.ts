import { ApiPropertyOptional } from '@nestjs/swagger';
import { CURSOR_IS_NOT_VALID } from './cursor-codec.js';
import { FilterOf, FlagFilter, type Ignore, isEmpty, lastOf, Parameter } from './parameters.js';

export const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/** Longer than any issued cursor. */
const MAX_CURSOR = 1_024;

/** Entries per page: see `clampLimit`. */
export const LimitParameter = (): PropertyDecorator => Parameter(clampLimit);

/** `nextCursor` of the previous page; an invalid one starts at the first page. */
export const CursorParameter = (): PropertyDecorator =>
  Parameter((value, ignore) => {
    if (isEmpty(value)) return undefined;
    if (typeof value === 'string' && value.length <= MAX_CURSOR) return value;
    ignore('cursor_not_valid', CURSOR_IS_NOT_VALID);
    return undefined;
  });

/** Page number from 1; other values are ignored with a warning. */
export const PageParameter = (): PropertyDecorator =>
  FilterOf(
    (value) => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined),
    'not_a_page',
    'a whole number from 1',
  );

/** The parameters of every list. None is refused: values out of bounds are clamped, invalid ones ignored. */
export class ListQuery {
  @ApiPropertyOptional({
    description: 'Entries per page; clamped to 1…100.',
    type: 'integer',
    default: DEFAULT_LIMIT,
    minimum: 1,
    maximum: MAX_LIMIT,
  })
  @LimitParameter()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ description: '`pagination.nextCursor` of the page before; opaque.' })
  @CursorParameter()
  cursor?: string;

  @ApiPropertyOptional({
    description: '`false` skips counting: `pagination.total` is left out.',
    type: 'boolean',
    default: true,
  })
  @FlagFilter(true)
  includeTotal: boolean = true;
}

/** 1…100, by default DEFAULT_LIMIT. The last value of a repeated parameter counts. */
export function clampLimit(value: unknown, ignore?: Ignore): number {
  const last = lastOf(value);
  const number = typeof last === 'string' && last.trim() === '' ? NaN : Number(last ?? NaN);
  if (!Number.isNaN(number)) return Math.min(MAX_LIMIT, Math.max(1, Math.trunc(number)));
  if (!isEmpty(last)) ignore?.('not_a_number', `must be a number; ${DEFAULT_LIMIT} applies`);
  return DEFAULT_LIMIT;
}
