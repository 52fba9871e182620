import { IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with Threads. */
export class ThreadsAppConfig {
  @Env('SANDBOX_THREADS_APP_ID', {
    description: 'App id registered with the Threads of the sandbox.',
    default: 'sandbox-client',
  })
  @IsString()
  appId!: string;

  @Env('SANDBOX_THREADS_APP_SECRET', {
    description: 'App secret of SANDBOX_THREADS_APP_ID.',
    default: 'sandbox-secret',
  })
  @IsString()
  appSecret!: string;
}
