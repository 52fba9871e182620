import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';

export class DeleteContactQuery {
  @ApiPropertyOptional({
    description:
      '`true`: permanently, which needs the role owner or admin. Otherwise only the deleted flag is set.',
    type: 'boolean',
    default: false,
  })
  @Transform(({ value }) => value === 'true', { toClassOnly: true })
  @Allow()
  erase: boolean = false;
}
