import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { WhenSent } from '#libs/http';

/** Names as in RFC 7009, section 2.1. */
export class RevokeDto {
  @ApiProperty({ description: 'A refresh token, such as `copr_9fQ…`, or an access token.' })
  @IsString()
  @MaxLength(256)
  token!: string;

  @ApiPropertyOptional({
    example: 'refresh_token',
    description: 'Ignored: the prefix of the token identifies its type.',
  })
  @WhenSent()
  @IsString()
  @MaxLength(64)
  token_type_hint?: string;

  @ApiPropertyOptional({ description: 'Ignored: identity does not register clients.' })
  @WhenSent()
  @IsString()
  @MaxLength(256)
  client_id?: string;
}
