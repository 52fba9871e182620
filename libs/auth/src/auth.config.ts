import { IsOptional, IsString, Matches, MinLength } from 'class-validator';
import { Env } from '#libs/config';

/** How one service authenticates its callers. */
export class AuthConfig {
  @Env('SERVICE_SLUG', {
    description: 'The slug under which identity knows the business API.',
    default: 'social-publishing',
  })
  @Matches(/^[a-z][a-z0-9-]{1,62}$/)
  service!: string;

  @Env('INTERNAL_SERVICE_TOKEN', {
    description:
      'Shared secret of calls between processes of one service (at least 32 characters). Unset: none is accepted.',
  })
  @IsOptional()
  @IsString()
  @MinLength(32)
  internalToken?: string;
}
