import { ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { ListContactsQuery } from '../../dto/list-contacts.dto.js';

const flag = ({ value }: { value: unknown }): boolean =>
  ['true', '1'].includes(String(Array.isArray(value) ? value.at(-1) : value));

export class RawQuery {
  @ApiPropertyOptional({
    description: '`true`: without the apostrophe in front of what a spreadsheet would take for a formula.',
    type: 'boolean',
    default: false,
  })
  @Transform(flag, { toClassOnly: true })
  @Allow()
  raw: boolean = false;
}

/** The filters of the list. */
export class ExportContactsQuery extends IntersectionType(
  PickType(ListContactsQuery, ['q', 'organizationId', 'deleted']),
  RawQuery,
) {}
