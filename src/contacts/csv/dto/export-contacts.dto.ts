import { ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { FlagFilter } from '#libs/http';
import { ListContactsQuery } from '../../http/dto/list-contacts.dto.js';

export class RawQuery {
  @ApiPropertyOptional({
    description: '`true`: without the apostrophe before cells that a spreadsheet would read as a formula.',
    type: 'boolean',
    default: false,
  })
  @FlagFilter()
  raw: boolean = false;
}

/** The filters of the list of contacts. */
export class ExportContactsQuery extends IntersectionType(
  PickType(ListContactsQuery, ['q', 'organizationId', 'deleted']),
  RawQuery,
) {}
