import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { is, shape } from '#libs/http';

export class ConnectQuery {
  @ApiProperty({ description: 'The brand that the account is connected to.', format: 'uuid' })
  @IsString()
  @IsNotEmpty()
  brandId!: string;
}

export class AuthorizationDto extends shape({
  authorizationUrl: is.text({
    description:
      'Address of the consent page. Valid once, for ten minutes, while the session of the caller is active.',
    format: 'uri',
    example: 'https://x.com/i/oauth2/authorize?response_type=code&code_challenge_method=S256',
  }),
  startUrl: is.text({
    description:
      'For a browser that does not store the cookie of this response: a page of this API that names the person, the organization and the brand. Confirmed there, it sets a cookie and continues to the network. Valid once, for five minutes. null for callers without a bearer token.',
    format: 'uri',
    example: 'http://127.0.0.1:3000/api/integrations/x/connect/start?startToken=pYkQ0d2Zr6vX',
  }).orNull,
}) {}

/** The form of the page at `startUrl`. */
export class ConnectStartDto extends shape({
  startToken: is.text({ description: 'From `startUrl`.', example: 'pYkQ0d2Zr6vX' }),
}) {}

/** Query of the authorization response (RFC 6749, section 4.1.2). Other parameters are ignored. */
export class CallbackQuery {
  @ApiProperty({ description: 'Identifies the sign-in. Valid once.' })
  @IsString()
  @MaxLength(500)
  state!: string;

  @ApiProperty({
    description: 'Authorization code; absent when the person denied access.',
    required: false,
  })
  @IsOptional()
  @IsString()
  @MaxLength(4_000)
  code?: string;

  @ApiProperty({
    description:
      'Why there is no code (RFC 6749, section 4.1.2.1); `access_denied`: the person denied access.',
    required: false,
    example: 'access_denied',
  })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  error?: string;

  @ApiProperty({
    description: 'Number of the error, where the network sends one; 100: it does not accept the scopes.',
    required: false,
    example: '100',
  })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  error_code?: string;

  @ApiProperty({
    description: 'Reason, where the network sends one.',
    required: false,
    example: 'user_denied',
  })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  error_reason?: string;
}
