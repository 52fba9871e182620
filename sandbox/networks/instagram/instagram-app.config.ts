import { IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with Instagram. */
export class InstagramAppConfig {
  @Env('SANDBOX_INSTAGRAM_APP_ID', {
    description: 'App id registered with the Instagram of the sandbox.',
    default: 'sandbox-client',
  })
  @IsString()
  appId!: string;

  @Env('SANDBOX_INSTAGRAM_APP_SECRET', {
    description: 'App secret of SANDBOX_INSTAGRAM_APP_ID.',
    default: 'sandbox-secret',
  })
  @IsString()
  appSecret!: string;
}
