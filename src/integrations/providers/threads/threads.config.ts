import { IsOptional, IsString, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { hostOf } from '../host-of.js';

const REAL = 'https://graph.threads.net';

/** Addresses and credentials of Threads. A worker needs the addresses only: the app secret stays on the API. */
export class ThreadsConfig {
  @Env('THREADS_GRAPH_URL', {
    description:
      'Base address of the Threads API, without a version. Any other than the default is a stand-in, such as the sandbox: the other hosts of Threads are paths there.',
    default: REAL,
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

  /** Of the public posts and the page on which a person authorizes access. */
  get webUrl(): string {
    return hostOf(this.graphUrl, REAL, 'https://www.threads.net', '/threads-web');
  }

  get authorizeUrl(): string {
    return `${this.webUrl}/oauth/authorize`;
  }
}
