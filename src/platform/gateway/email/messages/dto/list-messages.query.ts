import { ApiPropertyOptional } from '@nestjs/swagger';
import { AmongFilter, FilterOf, ListQuery } from '#libs/http';
import { RECIPIENT_STATES } from '../../email.types.js';

export class ListEmailQuery extends ListQuery {
  @ApiPropertyOptional({
    enum: RECIPIENT_STATES,
    isArray: true,
    description: 'Messages with a recipient in one of them.',
  })
  @AmongFilter(RECIPIENT_STATES)
  state?: string[];

  @ApiPropertyOptional({ description: 'Messages to this address.', example: 'ada@example.com' })
  @FilterOf((value) => (value.length <= 320 ? value : undefined), 'not_an_address', 'a mail address')
  recipient?: string;
}
