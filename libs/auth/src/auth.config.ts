import { IsOptional, IsString, Matches, MinLength } from 'class-validator';
import { Env } from '#libs/config';

/** How one service authenticates its callers. */
export class AuthConfig {
  @Env('SERVICE_SLUG', {
    description: 'Slug of the business API at identity.',
    default: 'social-publishing',
  })
  @Matches(/^[a-z][a-z0-9-]{1,62}$/)
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
