import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsUUID } from 'class-validator';
import { IsName, WhenSent } from '#libs/http';
import { IsTimezone, timezoneNamed } from './is-timezone.js';

export class CreateBrandDto {
  @ApiProperty({
    description: 'One line of 1 to 120 characters.',
    minLength: 1,
    maxLength: 120,
    example: 'Acme Coffee',
  })
  @IsName()
  name!: string;

  @ApiPropertyOptional({
    description: 'IANA name of its time zone.',
    default: 'UTC',
    example: 'Europe/Berlin',
  })
  @Transform(({ value }: { value: unknown }) => timezoneNamed(value) ?? value)
  @WhenSent()
  @IsTimezone()
  timezone?: string;

  @ApiPropertyOptional({
    description: 'Optional for callers with one organization.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  @WhenSent()
  @IsUUID()
  organizationId?: string;
}

/** Omitted fields stay unchanged. */
export class UpdateBrandDto extends PartialType(PickType(CreateBrandDto, ['name', 'timezone']), {
  skipNullProperties: false,
}) {}

export class TransferBrandDto {
  @ApiProperty({
    description: 'An organization of the caller, who also needs accounts.write there.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  })
  @IsUUID()
  organizationId!: string;
}
