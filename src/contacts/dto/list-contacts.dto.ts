import { ApiPropertyOptional } from '@nestjs/swagger';
import { FlagFilter, ListQuery, Parameter } from '#libs/http';

const text = (value: unknown): string | undefined => {
  const one: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof one === 'string' && one.trim() !== '' ? one.trim() : undefined;
};

/** None of them is ever refused: what names nothing finds nothing. */
export class ListContactsQuery extends ListQuery {
  @ApiPropertyOptional({
    description:
      'Only contacts with all of these words, best first, in name, email, company or tags: any order, accents and case folded, the last one may be a beginning. Where no contact has them as words, parts of words are looked for, then similar ones.',
    example: 'novak prag',
  })
  @Parameter(text)
  q?: string;

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
