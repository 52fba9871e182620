import { ApiPropertyOptional } from '@nestjs/swagger';
import { FilterOf, FlagFilter, lastText, ListQuery, PageParameter, Parameter } from '#libs/http';
import { CONTACT_SORTS, type ContactSort } from '../../queries/list-contacts.js';

/** Invalid values are ignored, never refused. */
export class ListContactsQuery extends ListQuery {
  @ApiPropertyOptional({
    description:
      'Only contacts with all of these words, best matches first, in name, email addresses, company, department, job title, tags or external id: any order, accents and case folded, the last one can be a prefix. `müller` and `mueller` find each other. Phone numbers are found by their digits. If nothing matches, parts of words are searched, then words with one typo.',
    example: 'novak prag',
  })
  @Parameter(lastText)
  q?: string;

  @ApiPropertyOptional({ description: 'Alias of `q`, which applies if both are sent.' })
  @Parameter(lastText)
  search?: string;

  @ApiPropertyOptional({
    description:
      'Order of a list without `q`; a search is ordered by score. Names are folded as in a search; a contact without a name is sorted by its email.',
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
      'Number of the page, from 1. Only the first 10 000 contacts have numbered pages; `cursor` reaches all and applies if both are sent.',
    type: 'integer',
    minimum: 1,
  })
  @PageParameter()
  page?: number;

  @ApiPropertyOptional({ description: 'Only of this organization of the caller.', format: 'uuid' })
  @Parameter(lastText)
  organizationId?: string;

  @ApiPropertyOptional({
    description: '`true`: only soft-deleted contacts.',
    type: 'boolean',
    default: false,
  })
  @FlagFilter()
  deleted: boolean = false;
}
