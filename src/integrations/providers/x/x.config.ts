import { IsOptional, IsString, IsUrl, MinLength } from 'class-validator';
import { Env, IsBaseUrl, IsSecureInProduction } from '#libs/config';

const WEB_ADDRESS = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** Addresses and client credentials of X. A worker needs the addresses only: client credentials stay on the API. */
export class XConfig {
  @Env('X_API_URL', { description: 'Base address of the X API.', default: 'https://api.x.com' })
  @IsBaseUrl()
  apiUrl!: string;

  @Env('X_LEGACY_API_URL', {
    description: 'Former base address of the X API, used for the profile when the current one fails.',
    default: 'https://api.twitter.com',
  })
  @IsBaseUrl()
  legacyApiUrl!: string;

  @Env('X_AUTHORIZE_URL', {
    description: 'Page on which a person authorizes access to an X account.',
    default: 'https://x.com/i/oauth2/authorize',
  })
  @IsSecureInProduction()
  @IsUrl(WEB_ADDRESS)
  authorizeUrl!: string;

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

  /** Origin of the public posts: the site of the authorize page. */
  get webUrl(): string {
    return this.authorizeUrl.replace(/\/i\/oauth2\/authorize.*$/, '');
  }
}
