import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsName, WhenSent } from '#libs/http';
import { AT, ID } from '../dto/examples.js';

export class OrganizationDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Analytical Engines' })
  name!: string;

  @ApiProperty({
    example: 'owner',
    enum: ['owner', 'admin', 'member', 'viewer', 'service', 'api_key'],
    description: 'The role of the caller in the organization.',
  })
  role!: string;

  @ApiProperty({ example: false })
  developerWorkspace!: boolean;

  @ApiProperty({ example: AT, format: 'date-time' })
  createdAt!: Date;
}

export class CreateOrganizationDto {
  @ApiProperty({ minLength: 1, maxLength: 120, example: 'Analytical Engines' })
  @IsName()
  name!: string;

  @ApiPropertyOptional({ default: false })
  @WhenSent()
  @IsBoolean()
  developerWorkspace?: boolean;
}
