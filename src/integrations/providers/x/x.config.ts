import { IsOptional, IsString, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { hostOf } from '../host-of.js';

const REAL = 'https://api.x.com';

/** Addresses and client credentials of X. A worker needs the addresses only: client credentials stay on the API. */
export class XConfig {
  @Env('X_API_URL', {
    description:
      'Base address of the X API. Any other than the default is a stand-in, such as the sandbox: the other hosts of X are paths there.',
    default: REAL,
  })
  @IsBaseUrl()
  apiUrl!: string;

  @Env('X_CLIENT_ID', { description: 'OAuth 2.0 client id at X. Unset: X accounts cannot be connected.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientId?: string;

  @Env('X_CLIENT_SECRET', {
    description: 'OAuth 2.0 client secret at X; unset for a public client. API only.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientSecret?: string;

  /** The former API, for the profile when the current one fails. */
  get legacyApiUrl(): string {
    return hostOf(this.apiUrl, REAL, 'https://api.twitter.com', '/x-legacy');
  }

  /** Of the public posts and the page on which a person authorizes access. */
  get webUrl(): string {
    return hostOf(this.apiUrl, REAL, 'https://x.com', '/x-web');
  }

  get authorizeUrl(): string {
    return `${this.webUrl}/i/oauth2/authorize`;
  }
}
