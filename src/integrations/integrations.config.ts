import { AuthConfig } from '#libs/auth';
import { Env, FromConfig, IsBaseUrl } from '#libs/config';
import { HttpConfig } from '#libs/http';

export class IntegrationsConfig {
  /** Networks send people back to it. */
  @FromConfig(HttpConfig, 'publicUrl', { default: 'http://127.0.0.1:3000' })
  publicUrl!: string;

  @Env('API_INTERNAL_URL', {
    description:
      'Management address of the API, at which workers request the renewal of tokens; also set for the API itself.',
    default: 'http://127.0.0.1:9000',
  })
  @IsBaseUrl({ inCluster: true })
  apiInternalUrl!: string;

  @FromConfig(AuthConfig, 'internalToken')
  internalToken?: string;
}
