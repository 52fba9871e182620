import { IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with LinkedIn. */
export class LinkedInAppConfig {
  @Env('SANDBOX_LINKEDIN_CLIENT_ID', {
    description: 'Client id registered with the LinkedIn of the sandbox.',
    default: 'sandbox-client',
  })
  @IsString()
  clientId!: string;

  @Env('SANDBOX_LINKEDIN_CLIENT_SECRET', {
    description: 'Client secret of SANDBOX_LINKEDIN_CLIENT_ID.',
    default: 'sandbox-secret',
  })
  @IsString()
  clientSecret!: string;
}
