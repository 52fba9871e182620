import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsUUID, registerDecorator } from 'class-validator';
import { is, IsName, shape, WhenSent } from '#libs/http';

export class BrandDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  organizationId: is.uuid({
    description: 'The organization that owns it; a transfer changes it.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  }),
  name: is.text({ example: 'Acme Coffee' }),
  timezone: is.text({
    description: 'IANA name. Defines the days of the rollups, unless a request asks for another time zone.',
    example: 'Europe/Berlin',
  }),
  version: is.integer({ description: 'Increases with every change; part of the ETag.', example: 1 }),
  createdAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
  updatedAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
}) {}

/**
 * The IANA time zone in canonical case, undefined if the runtime does not know it. Keeps newer names, for which the runtime
 * returns the older one (`Asia/Kathmandu`).
 */
export function timezoneNamed(name: unknown): string | undefined {
  if (typeof name !== 'string' || !/^[A-Za-z]/.test(name) || name.length > 64) return undefined;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return known.toLowerCase() === name.toLowerCase() ? known : name;
  } catch {
    return undefined;
  }
}

/** An IANA name such as `Europe/Berlin` or `UTC`; offsets are refused, because they have no daylight saving time. */
function IsTimezone(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isTimezone',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: 'must be the IANA name of a time zone, such as Europe/Berlin',
        context: { code: 'not_a_timezone' },
      },
      validator: { validate: (value: unknown) => timezoneNamed(value) !== undefined },
    });
}

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
