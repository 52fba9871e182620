import { IsOptional, IsString, Matches, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { hostOf } from '../host-of.js';
import { GRAPH_VERSION, GRAPH_VERSION_NAME } from '../graph/graph-wire.js';

const REAL = 'https://graph.instagram.com';

/** Addresses and credentials of Instagram. A worker needs the addresses only: the app secret stays on the API. */
export class InstagramConfig {
  @Env('INSTAGRAM_GRAPH_URL', {
    description:
      'Base address of the Instagram API, without a version. Any other than the default is a stand-in, such as the sandbox: the other hosts of Instagram are paths there.',
    default: REAL,
  })
  @IsBaseUrl()
  graphUrl!: string;

  @Env('INSTAGRAM_API_VERSION', {
    description: 'Version of the Instagram API that this service calls, such as v25.0.',
    default: GRAPH_VERSION,
  })
  @Matches(GRAPH_VERSION_NAME, { message: 'must be a version such as v25.0' })
  apiVersion!: string;

  @Env('INSTAGRAM_APP_ID', {
    description:
      'Instagram app id (business login), not the id of the Meta app. Unset: Instagram accounts cannot be connected.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  appId?: string;

  @Env('INSTAGRAM_APP_SECRET', {
    description: 'Instagram app secret of INSTAGRAM_APP_ID; also the key of signed callbacks. API only.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  appSecret?: string;

  /** Exchanges codes for tokens. */
  get apiUrl(): string {
    return hostOf(this.graphUrl, REAL, 'https://api.instagram.com', '/instagram-api');
  }

  /** Of the public posts and the page on which a person authorizes access. */
  get webUrl(): string {
    return hostOf(this.graphUrl, REAL, 'https://www.instagram.com', '/instagram-web');
  }

  get authorizeUrl(): string {
    return `${this.webUrl}/oauth/authorize`;
  }
}
