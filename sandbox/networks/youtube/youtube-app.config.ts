import { IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with Google. */
export class YoutubeAppConfig {
  @Env('SANDBOX_YOUTUBE_CLIENT_ID', {
    description: 'Client id registered with the Google of the sandbox.',
    default: 'sandbox-client',
  })
  @IsString()
  clientId!: string;

  @Env('SANDBOX_YOUTUBE_CLIENT_SECRET', {
    description: 'Client secret of SANDBOX_YOUTUBE_CLIENT_ID.',
    default: 'sandbox-secret',
  })
  @IsString()
  clientSecret!: string;
}
