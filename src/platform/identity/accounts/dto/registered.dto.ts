import { ApiProperty } from '@nestjs/swagger';
import { OrganizationDto } from '../../organizations/organization.dto.js';
import { UserPayloadDto } from '../../validation/dto/user-payload.dto.js';
import { TokensDto } from './tokens.dto.js';

export class RegisteredDto extends TokensDto {
  @ApiProperty({ type: () => UserPayloadDto })
  user!: UserPayloadDto;

  @ApiProperty({ type: () => OrganizationDto, nullable: true, description: 'null when none was requested.' })
  organization!: OrganizationDto | null;
}

export class SignedInDto extends TokensDto {
  @ApiProperty({ type: () => UserPayloadDto })
  user!: UserPayloadDto;
}
