import { Matches } from 'class-validator';
import { Env } from '#libs/config';

/** Who this process is at identity. */
export class ServiceSlugConfig {
  @Env('SERVICE_SLUG', {
    description: 'Slug of the business API at identity.',
    default: 'social-publishing',
  })
  @Matches(/^[a-z][a-z0-9-]{1,62}$/)
  service!: string;
}
