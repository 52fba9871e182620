import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsString, MaxLength, ValidateNested } from 'class-validator';
import { is, shape, WhenSentOrNull } from '#libs/http';
import { permissionName } from '../../registry/permission-name.js';
import type { OverrideList } from './overrides.js';

export class OverrideDto {
  @ApiProperty({ example: '0197a1f0-3c6e-7000-8000-000000000001.posts:write' })
  @IsString()
  @MaxLength(200)
  permission!: string;

  @ApiProperty({
    example: 'deny',
    enum: ['allow', 'deny'],
    description:
      'deny removes a permission of the role, also after the member leaves and comes back. allow adds one and ends with the membership.',
  })
  @IsIn(['allow', 'deny'])
  effect!: 'allow' | 'deny';

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 500, example: 'Covers for Ada' })
  @WhenSentOrNull()
  @IsString()
  @MaxLength(500)
  reason?: string | null;
}

export class OverridesDto {
  @ApiProperty({ type: () => [OverrideDto], maxItems: 200 })
  @IsArray()
  @ArrayMaxSize(200)
  @ValidateNested({ each: true })
  @Type(() => OverrideDto)
  overrides!: OverrideDto[];
}

export class MemberOverridesDto extends shape({
  version: is.of<number>({ type: 'number', example: 2, description: 'Same as in the ETag.' }),
  overrides: is.list(() => OverrideDto, {
    description: 'In order of permission. Sending the same list back changes nothing.',
  }),
}) {
  static of({ version, overrides }: OverrideList): MemberOverridesDto {
    return {
      version,
      overrides: overrides.map(({ service_id, scope, effect, reason }) => ({
        permission: permissionName(service_id, scope),
        effect,
        reason,
      })),
    };
  }
}
