import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ListWarning } from './list-warnings.js';

/** Entries of a list that are counted at most: about a millisecond along an index, however many are stored. */
export const MAX_TOTAL = 1_000;

/** How many entries all pages have, or that there are more than were counted. */
export interface Counted {
  readonly total?: number;
  readonly totalExceeds?: number;
}

/** @param entries counted up to `MAX_TOTAL` + 1 */
export const counted = (entries: number): Counted =>
  entries > MAX_TOTAL ? { totalExceeds: MAX_TOTAL } : { total: entries };

/** A parameter that the list changed or ignored. */
export class ListWarningDto implements ListWarning {
  @ApiProperty({ description: 'Name of the query parameter.', example: 'status' })
  parameter!: string;

  @ApiProperty({
    description:
      'Stable machine name: `not_allowed`, `not_an_id`, `not_an_instant`, `not_a_date`, `not_a_time_zone`, `not_a_number`, `not_a_boolean`, `not_a_page`, `cursor_not_valid`, `unknown_parameter`; more may follow.',
    example: 'not_allowed',
  })
  code!: string;

  @ApiProperty({
    description: 'What is wrong, and what the list did instead.',
    example: 'must be one or more of draft, scheduled, published, failed; gone is ignored',
  })
  message!: string;
}

/** A response with the warnings of `WarnsOfParameters`. */
export class ListWarningsDto {
  @ApiPropertyOptional({
    description:
      'Parameters that were not applied as sent, and those that the list does not have; left out where there is none.',
    type: () => [ListWarningDto],
  })
  warnings?: ListWarningDto[];
}

export class Pagination {
  @ApiProperty({ description: 'Entries per page, as applied.', type: 'integer', example: 25 })
  limit!: number;

  @ApiProperty({ description: 'Whether there is a next page.', example: false })
  hasMore!: boolean;

  @ApiProperty({
    description: 'Pass as `cursor` for the next page; null on the last.',
    type: 'string',
    nullable: true,
  })
  nextCursor!: string | null;

  @ApiPropertyOptional({ description: 'Number of the page, where pages are numbered.', type: 'integer' })
  page?: number;

  @ApiPropertyOptional({ description: 'Entries on all pages, where counted.', type: 'integer', example: 1 })
  total?: number;

  @ApiPropertyOptional({
    description:
      'There are more entries than this on all pages, and they were counted no further: `total` is left out.',
    type: 'integer',
    example: 1000,
  })
  totalExceeds?: number;
}

/** One page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: Pagination;
}

export interface PageOptions<Row> extends Counted {
  readonly limit: number;
  /** Makes the cursor that continues after a row. */
  readonly cursor: (last: Row) => string;
  /** Rows were left out, although there are fewer than `limit`: together they are too large for one page. */
  readonly hasMore?: boolean;
  readonly page?: number;
}

/** A page from up to `limit + 1` rows: the extra row shows that there is a next page. */
export function pageOf<Row>(rows: readonly Row[], options: PageOptions<Row>): Page<Row> {
  const { limit, cursor, total, totalExceeds, page } = options;
  const data = rows.slice(0, limit);
  const hasMore = rows.length > limit || (options.hasMore ?? false);
  const last = data.at(-1);
  return {
    data,
    pagination: {
      limit,
      hasMore,
      nextCursor: hasMore && last !== undefined ? cursor(last) : null,
      ...(page === undefined ? {} : { page }),
      ...(total === undefined ? {} : { total }),
      ...(totalExceeds === undefined ? {} : { totalExceeds }),
    },
  };
}

/** The same page with each entry mapped. */
export function mapPage<From, To>(page: Page<From>, form: (entry: From) => To): Page<To> {
  return { data: page.data.map(form), pagination: page.pagination };
}

/** The schema of a page of `item`, named after it: `PageOfPostDto`. */
export function PageDto<T>(item: Type<T>): Type<Page<T>> {
  class PageOfItem extends ListWarningsDto {
    @ApiProperty({ type: () => [item] })
    data!: T[];

    @ApiProperty({ type: () => Pagination })
    pagination!: Pagination;
  }
  Object.defineProperty(PageOfItem, 'name', { value: `PageOf${item.name}` });
  return PageOfItem;
}
