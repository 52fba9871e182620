import { ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, FlagFilter, ListQuery, PageParameter, Parameter } from '#libs/http';
import { CONTACT_SORTS } from '../../queries/list-contacts.js';
import type { ContactSort } from '../../queries/list-contacts.js';

const text = (value: unknown): string | undefined => {
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof one === 'string' && one.trim() !== '' ? one.trim() : undefined;
};

/** Invalid values are ignored, never refused. */
export class ListContactsQuery extends ListQuery {
  @ApiPropertyOptional({
    description:
      'Only contacts with all of these words, best first, in name, email addresses, company, department, job title, tags or external id: any order, accents and case folded, the last one may be a beginning. `müller` and `mueller` find each other. Where no contact has them as words, phone numbers are looked for by their digits, then parts of words, then similar words.',
    example: 'novak prag',
  })
  @Parameter(text)
  q?: string;

  @ApiPropertyOptional({ description: 'Another name of `q`, which is preferred where both are sent.' })
  @Parameter(text)
  search?: string;

  @ApiPropertyOptional({
    description:
      'Order of a list without `q`; a search is ordered by how well contacts fit. Names are folded as in a search; a contact without a name is sorted by its email.',
    enum: CONTACT_SORTS,
    default: '-createdAt',
  })
  @FilterOf(
    (value) => CONTACT_SORTS.find((sort) => sort === value),
    'not_allowed',
    `one of ${CONTACT_SORTS.join(', ')}`,
  )
  sort?: ContactSort;

  @ApiPropertyOptional({
    description:
      'Number of the page, from 1. Only the first 10 000 contacts have numbered pages; `cursor` reaches all and is preferred where both are sent.',
    type: 'integer',
    minimum: 1,
  })
  @PageParameter()
  page?: number;

  @ApiPropertyOptional({ description: 'Only of this organization of the caller.', format: 'uuid' })
  @Parameter(text)
  organizationId?: string;

  @ApiPropertyOptional({
    description: '`true`: those soft-deleted, instead.',
    type: 'boolean',
    default: false,
  })
  @FlagFilter()
  deleted: boolean = false;
}
