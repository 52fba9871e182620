import { IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with Facebook. */
export class FacebookAppConfig {
  @Env('SANDBOX_FACEBOOK_APP_ID', {
    description: 'Id of the app registered with the Facebook of the sandbox.',
    default: 'sandbox-facebook-app',
  })
  @IsString()
  appId!: string;

  @Env('SANDBOX_FACEBOOK_APP_SECRET', {
    description: 'Secret of SANDBOX_FACEBOOK_APP_ID.',
    default: 'sandbox-facebook-secret',
  })
  @IsString()
  appSecret!: string;
}
