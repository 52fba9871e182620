import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { ListQuery } from '#libs/http';

const last = (value: unknown): unknown => (Array.isArray(value) ? value.at(-1) : value);

const text = ({ value }: { value: unknown }): string | undefined => {
  const one = last(value);
  return typeof one === 'string' && one.trim() !== '' ? one.trim() : undefined;
};

const flag = ({ value }: { value: unknown }): boolean => ['true', '1'].includes(String(last(value)));

/** None of them is ever refused: what names nothing finds nothing. */
export class ListContactsQuery extends ListQuery {
  @ApiPropertyOptional({
    description:
      'Only contacts with all of these words, best first, in name, email, company or tags: any order, accents and case folded, the last one may be a beginning. Where no contact has them as words, parts of words are looked for, then similar ones.',
    example: 'novak prag',
  })
  @Transform(text, { toClassOnly: true })
  @Allow()
  q?: string;

  @ApiPropertyOptional({ description: 'Only of this organization of the caller.', format: 'uuid' })
  @Transform(text, { toClassOnly: true })
  @Allow()
  organizationId?: string;

  @ApiPropertyOptional({
    description: '`true`: those soft-deleted, instead.',
    type: 'boolean',
    default: false,
  })
  @Transform(flag, { toClassOnly: true })
  @Allow()
  deleted: boolean = false;
}
