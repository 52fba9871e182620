import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** Why; kept in the audit. The operation works without any body. */
export class DecideDto {
  @ApiPropertyOptional({ description: 'Up to 500 characters.', maxLength: 500, example: 'Agreed with Jana' })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  reason?: string;
}
