import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';

export class DeleteContactQuery {
  @ApiPropertyOptional({
    description:
      '`true`: for good, which needs the role owner or admin. Anything else sets the deleted flag only.',
    type: 'boolean',
    default: false,
  })
  @Transform(({ value }) => value === 'true', { toClassOnly: true })
  @Allow()
  erase: boolean = false;
}
