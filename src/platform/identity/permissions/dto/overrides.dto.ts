import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsString, MaxLength, ValidateNested } from 'class-validator';
import { WhenSent } from '#libs/http';

export class OverrideDto {
  @ApiProperty({ example: '0197a1f0-3c6e-7000-8000-000000000001.posts:write' })
  @IsString()
  @MaxLength(200)
  permission!: string;

  @ApiProperty({ enum: ['allow', 'deny'], description: 'deny removes what the role brings.' })
  @IsIn(['allow', 'deny'])
  effect!: 'allow' | 'deny';

  @ApiPropertyOptional({ maxLength: 500 })
  @WhenSent()
  @IsString()
  @MaxLength(500)
  reason?: string;
}

export class OverridesDto {
  @ApiProperty({ type: () => [OverrideDto], maxItems: 200 })
  @IsArray()
  @ArrayMaxSize(200)
  @ValidateNested({ each: true })
  @Type(() => OverrideDto)
  overrides!: OverrideDto[];
}
