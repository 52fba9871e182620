import { IsIn, IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with X. */
export class XAppConfig {
  @Env('SANDBOX_X_CLIENT_ID', {
    description: 'Client id that the sandbox of X has registered.',
    default: 'sandbox-client',
  })
  @IsString()
  clientId!: string;

  @Env('SANDBOX_X_CLIENT_SECRET', {
    description: 'Client secret that belongs to it.',
    default: 'sandbox-secret',
  })
  @IsString()
  clientSecret!: string;

  @Env('SANDBOX_X_CLIENT_TYPE', {
    description: 'confidential: it shows that secret. public: it has none, and names itself only.',
    default: 'confidential',
  })
  @IsIn(['confidential', 'public'])
  clientType!: 'confidential' | 'public';
}
