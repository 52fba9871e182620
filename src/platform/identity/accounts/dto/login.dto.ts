import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** Checked for being text only: what cannot be an account's address or password is simply not right. */
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
  @ApiProperty({ description: 'As the last sign-in or refresh answered it, such as `copr_9fQ…`.' })
  @IsString()
  @MaxLength(256)
  refreshToken!: string;
}
