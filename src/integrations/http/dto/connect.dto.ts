import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

export class ConnectQuery {
  @ApiProperty({ description: 'The brand that the account is connected to.', format: 'uuid' })
  @IsString()
  @IsNotEmpty()
  brandId!: string;
}

export class AuthorizationDto {
  @ApiProperty({
    description:
      'Where a person allows access; valid for ten minutes, once, and while the session of the caller lasts.',
    format: 'uri',
    example: 'https://x.com/i/oauth2/authorize?response_type=code&code_challenge_method=S256',
  })
  authorizationUrl!: string;

  @ApiProperty({
    description:
      'The same for a browser that does not keep the cookie of this answer: an address of this API that sets one and redirects to the network; valid for one minute, once. null for callers without a bearer token.',
    type: 'string',
    nullable: true,
    format: 'uri',
    example: 'http://127.0.0.1:3000/api/integrations/x/connect?startToken=pYkQ0d2Zr6vX',
  })
  startUrl!: string | null;
}

/** How networks send people back (RFC 6749, section 4.1.2). Further parameters are ignored. */
export class CallbackQuery {
  @ApiProperty({ description: 'Names the sign-in, once.' })
  @IsString()
  @MaxLength(500)
  state!: string;

  @ApiProperty({
    description: 'To be exchanged for tokens; missing when access was not allowed.',
    required: false,
  })
  @IsOptional()
  @IsString()
  @MaxLength(4_000)
  code?: string;
}
