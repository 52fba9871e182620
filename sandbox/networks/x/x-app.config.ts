import { IsIn, IsString } from 'class-validator';
import { Env } from '#libs/config';

/** The app that is registered with X. */
export class XAppConfig {
  @Env('SANDBOX_X_CLIENT_ID', {
    description: 'Client id registered with the X of the sandbox.',
    default: 'sandbox-client',
  })
  @IsString()
  clientId!: string;

  @Env('SANDBOX_X_CLIENT_SECRET', {
    description: 'Client secret of SANDBOX_X_CLIENT_ID.',
    default: 'sandbox-secret',
  })
  @IsString()
  clientSecret!: string;

  @Env('SANDBOX_X_CLIENT_TYPE', {
    description: 'confidential: the client sends its secret. public: it has none and sends its id only.',
    default: 'confidential',
  })
  @IsIn(['confidential', 'public'])
  clientType!: 'confidential' | 'public';
}
