import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';

export const DEFAULT_LIMIT = 25;
export const MAX_LIMIT = 100;

/** The parameters every list takes. None of them is ever refused: out of bounds is clamped, nonsense ignored. */
export class ListQuery {
  @ApiPropertyOptional({
    description: 'Entries per page; clamped to 1…100.',
    type: 'integer',
    default: DEFAULT_LIMIT,
    minimum: 1,
    maximum: MAX_LIMIT,
  })
  @Transform(({ value }) => clampLimit(value), { toClassOnly: true })
  @Allow()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ description: '`pagination.nextCursor` of the page before; opaque.' })
  @Transform(({ value }) => (typeof value === 'string' && value.length <= 1024 ? value : undefined), {
    toClassOnly: true,
  })
  @Allow()
  cursor?: string;

  @ApiPropertyOptional({
    description: '`false` skips counting: `pagination.total` is left out.',
    type: 'boolean',
    default: true,
  })
  @Transform(({ value }) => value !== 'false' && value !== '0', { toClassOnly: true })
  @Allow()
  includeTotal: boolean = true;
}

/** 1…100; what is no number is the default. A repeated parameter counts by its last value. */
export function clampLimit(value: unknown): number {
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  const number = typeof last === 'string' && last.trim() === '' ? NaN : Number(last ?? NaN);
  if (Number.isNaN(number)) return DEFAULT_LIMIT;
  return Math.min(MAX_LIMIT, Math.max(1, Math.trunc(number)));
}
