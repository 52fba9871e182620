import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** No format validation: text that cannot be an address or a password gives the response of a wrong one. */
export class LoginDto {
  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  @IsString()
  @MaxLength(320)
  email!: string;

  @ApiProperty({ example: 'correct horse battery staple' })
  @IsString()
  @MaxLength(1024)
  password!: string;
}

export class RefreshDto {
  @ApiProperty({ description: 'The refresh token of the last sign-in or refresh, such as `copr_9fQ…`.' })
  @IsString()
  @MaxLength(256)
  refreshToken!: string;
}
