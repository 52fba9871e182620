import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, MaxLength } from 'class-validator';
import { PASSWORD_LENGTH } from './register.dto.js';

export class ChangePasswordDto {
  @ApiProperty({ description: 'The current password.' })
  @IsString()
  @MaxLength(1024)
  currentPassword!: string;

  @ApiProperty({
    minLength: PASSWORD_LENGTH.min,
    maxLength: PASSWORD_LENGTH.max,
    example: 'a lantern under seven maples',
  })
  @IsString()
  @Length(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)
  newPassword!: string;
}
