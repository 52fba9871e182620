import { IsOptional, IsString, MinLength } from 'class-validator';
import { Env, FromConfig } from '#libs/config';
import { ServiceSlugConfig } from '#libs/platform-client';

/** How one service authenticates its callers. */
export class AuthConfig {
  @FromConfig(ServiceSlugConfig, 'service')
  service!: string;

  @Env('INTERNAL_SERVICE_TOKEN', {
    description:
      'Shared secret of calls between processes of one service (at least 32 characters). Unset: no such call is accepted.',
  })
  @IsOptional()
  @IsString()
  @MinLength(32)
  internalToken?: string;
}
