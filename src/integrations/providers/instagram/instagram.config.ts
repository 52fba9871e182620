import { IsOptional, IsString, IsUrl, Matches, MinLength } from 'class-validator';
import { Env, IsBaseUrl, IsSecureInProduction } from '#libs/config';
import { GRAPH_VERSION, GRAPH_VERSION_NAME } from '../graph/graph-wire.js';

const WEB_ADDRESS = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** Addresses and credentials of Instagram. A worker needs the addresses only: the app secret stays on the API. */
export class InstagramConfig {
  @Env('INSTAGRAM_AUTHORIZE_URL', {
    description: 'Page on which a person authorizes access to an Instagram account.',
    default: 'https://www.instagram.com/oauth/authorize',
  })
  @IsSecureInProduction()
  @IsUrl(WEB_ADDRESS)
  authorizeUrl!: string;

  @Env('INSTAGRAM_API_URL', {
    description: 'Base address of the Instagram host that exchanges codes for tokens.',
    default: 'https://api.instagram.com',
  })
  @IsBaseUrl()
  apiUrl!: string;

  @Env('INSTAGRAM_GRAPH_URL', {
    description: 'Base address of the Instagram API, without a version.',
    default: 'https://graph.instagram.com',
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

  /** Origin of the public posts: the site of the authorize page. */
  get webUrl(): string {
    return this.authorizeUrl.replace(/\/oauth\/authorize.*$/, '');
  }
}
