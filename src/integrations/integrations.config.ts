import { AuthConfig } from '#libs/auth';
import { Env, FromConfig, IsBaseUrl } from '#libs/config';
import { HttpConfig } from '#libs/http';

export class IntegrationsConfig {
  /** Networks send people back to it. */
  @FromConfig(HttpConfig, 'publicUrl', { default: 'http://127.0.0.1:3000' })
  publicUrl!: string;

  @Env('API_INTERNAL_URL', {
    description: "Management address of the API, where workers have tokens renewed; the API's own included.",
    default: 'http://127.0.0.1:9000',
  })
  @IsBaseUrl({ inCluster: true })
  apiInternalUrl!: string;

  @FromConfig(AuthConfig, 'internalToken')
  internalToken?: string;
}
