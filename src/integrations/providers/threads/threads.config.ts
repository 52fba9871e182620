import { IsOptional, IsString, IsUrl, MinLength } from 'class-validator';
import { Env, IsBaseUrl, IsSecureInProduction } from '#libs/config';

const WEB_ADDRESS = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** Addresses and credentials of Threads. A worker needs the addresses only: the app secret stays on the API. */
export class ThreadsConfig {
  @Env('THREADS_AUTHORIZE_URL', {
    description: 'Page on which a person authorizes access to a Threads account.',
    default: 'https://www.threads.net/oauth/authorize',
  })
  @IsSecureInProduction()
  @IsUrl(WEB_ADDRESS)
  authorizeUrl!: string;

  @Env('THREADS_GRAPH_URL', {
    description: 'Base address of the Threads API, without a version.',
    default: 'https://graph.threads.net',
  })
  @IsBaseUrl()
  graphUrl!: string;

  @Env('THREADS_APP_ID', {
    description: 'Threads app id, not the id of the Meta app. Unset: Threads accounts cannot be connected.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  appId?: string;

  @Env('THREADS_APP_SECRET', {
    description: 'Threads app secret of THREADS_APP_ID; also the key of signed callbacks. API only.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  appSecret?: string;

  /** Origin of the public posts: the site of the authorize page. */
  get webUrl(): string {
    return this.authorizeUrl.replace(/\/oauth\/authorize.*$/, '');
  }
}
