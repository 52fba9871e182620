import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import { MAX_VALIDATIONS } from '#libs/platform-client';
import { ValidationDto } from './validation.dto.js';

/** Like the headers and the parameter of one validation. Any text: a malformed credential is refused like an unknown one. */
export class CredentialsDto {
  @ApiPropertyOptional({
    example: 'Bearer copa_8pYw1zq0',
    description: 'The whole `Authorization` header of the caller.',
  })
  @IsOptional()
  @IsString()
  authorization?: string;

  @ApiPropertyOptional({ example: 'cop_live_8pYw1zq0', description: 'The whole `X-Api-Key` header.' })
  @IsOptional()
  @IsString()
  apiKey?: string;

  @ApiPropertyOptional({
    example: 'social-publishing',
    description: 'Slug of the service of the scopes. Without it, the response contains no scopes.',
  })
  @IsOptional()
  @IsString()
  service?: string;
}

export class ValidationBatchDto {
  @ApiProperty({ type: [CredentialsDto], minItems: 1, maxItems: MAX_VALIDATIONS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_VALIDATIONS)
  @ValidateNested({ each: true })
  @Type(() => CredentialsDto)
  validations!: CredentialsDto[];
}

export class ValidationResultDto {
  @ApiProperty({
    example: 200,
    description: 'As `GET /validate` answers these credentials alone, such as 200, 401, 404 or 503.',
  })
  status!: number;

  @ApiProperty({ type: () => ValidationDto, nullable: true, description: 'null unless the status is 200.' })
  validation!: ValidationDto | null;
}

export class ValidationResultsDto {
  @ApiProperty({ type: [ValidationResultDto], description: 'In the order of the request.' })
  results!: readonly ValidationResultDto[];
}
