import { IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with TikTok. */
export class TikTokAppConfig {
  @Env('SANDBOX_TIKTOK_CLIENT_KEY', {
    description: 'Client key registered with the TikTok of the sandbox.',
    default: 'sandbox-client',
  })
  @IsString()
  clientKey!: string;

  @Env('SANDBOX_TIKTOK_CLIENT_SECRET', {
    description: 'Client secret of SANDBOX_TIKTOK_CLIENT_KEY.',
    default: 'sandbox-secret',
  })
  @IsString()
  clientSecret!: string;
}
