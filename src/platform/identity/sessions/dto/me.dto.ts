import { ApiProperty } from '@nestjs/swagger';
import { UserPayloadDto } from '../../validation/dto/user-payload.dto.js';

export class MyOrganizationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Analytical Engines' })
  name!: string;

  @ApiProperty({ enum: ['owner', 'admin', 'member', 'viewer', 'service', 'api_key'] })
  role!: string;
}

export class MeDto extends UserPayloadDto {
  @ApiProperty({ type: () => [MyOrganizationDto] })
  organizations!: MyOrganizationDto[];
}
