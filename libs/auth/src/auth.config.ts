import { IsOptional, IsString, MinLength } from 'class-validator';
import { Env } from '#libs/config';
import { BUSINESS_API_SLUG } from '#libs/platform-client';

/** How one service authenticates its callers. */
export class AuthConfig {
  /** The slug at identity of the routes that name no other. */
  service: string = BUSINESS_API_SLUG;

  @Env('INTERNAL_SERVICE_TOKEN', {
    description:
      'Shared secret of calls between processes of one service (at least 32 characters). Unset: no such call is accepted.',
  })
  @IsOptional()
  @IsString()
  @MinLength(32)
  internalToken?: string;
}
