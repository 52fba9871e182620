import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { is, IsName, shape, WhenSent } from '#libs/http';
import { AT, ID } from '../dto/examples.js';

export class OrganizationDto extends shape({
  id: is.uuid({ example: ID }),
  name: is.text({ example: 'Analytical Engines' }),
  role: is.text({
    example: 'owner',
    enum: ['owner', 'admin', 'member', 'viewer', 'service', 'api_key'],
    description: 'The role of the caller in the organization.',
  }),
  developerWorkspace: is.flag({ example: false }),
  createdAt: is.date({ example: AT }),
}) {}

export class CreateOrganizationDto {
  @ApiProperty({ minLength: 1, maxLength: 120, example: 'Analytical Engines' })
  @IsName()
  name!: string;

  @ApiPropertyOptional({ default: false })
  @WhenSent()
  @IsBoolean()
  developerWorkspace?: boolean;
}
