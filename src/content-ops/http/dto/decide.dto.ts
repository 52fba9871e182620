import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** The reason, stored in the audit. The body is optional. */
export class DecideDto {
  @ApiPropertyOptional({ description: 'Up to 500 characters.', maxLength: 500, example: 'Agreed with Jana' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  reason?: string;
}
