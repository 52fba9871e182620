import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsInstant, IsName, WhenSent } from '#libs/http';

const lowerCase = ({ value }: { value: unknown }): unknown =>
  Array.isArray(value) ? value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id)) : value;

/** Permissions and expiry of a new key or service principal. */
export class GrantRequestDto {
  @ApiProperty({ minLength: 1, maxLength: 120, example: 'Queue robot' })
  @IsName()
  name!: string;

  @ApiProperty({ example: 'social-publishing', description: 'Slug of the service that it can use.' })
  @IsString()
  @MaxLength(63)
  service!: string;

  @ApiProperty({
    type: [String],
    minItems: 1,
    example: ['posts.read', 'posts.write'],
    description: 'Scopes in the catalog of the service that the caller has too.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(100, { each: true })
  scopes!: string[];

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    description: 'The brands that it can use, 1 to 100; absent or null: all brands of the organization.',
  })
  @Transform(lowerCase)
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsUUID('all', { each: true })
  brandIds?: string[] | null;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Expiry, with offset; absent or null: never.',
  })
  @IsOptional()
  @IsInstant({ future: true })
  expiresAt?: string | null;
}

/** A week. The default of a day is enough to deploy a new secret. */
const MAX_OVERLAP_MINUTES = 7 * 24 * 60;

export class RotateDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_MINUTES,
    default: 1440,
    description: 'Minutes until the old secret expires.',
  })
  @WhenSent()
  @IsInt()
  @Min(0)
  @Max(MAX_OVERLAP_MINUTES)
  overlapMinutes?: number;
}

export const DEFAULT_OVERLAP_MINUTES = 24 * 60;
