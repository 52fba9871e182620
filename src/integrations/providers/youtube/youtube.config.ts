import { IsOptional, IsString, IsUrl, MinLength } from 'class-validator';
import { Env, IsBaseUrl, IsSecureInProduction } from '#libs/config';

const WEB_ADDRESS = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/**
 * Addresses and client credentials of YouTube's sign-in. Channels and videos go through the provider gateway, which has the address
 * of the API. A worker needs no client credentials.
 */
export class YoutubeConfig {
  @Env('YOUTUBE_OAUTH_URL', {
    description: "Base address of Google's token endpoint, for YouTube.",
    default: 'https://oauth2.googleapis.com',
  })
  @IsBaseUrl()
  oauthUrl!: string;

  @Env('YOUTUBE_AUTHORIZE_URL', {
    description: 'Page on which a person authorizes access to a YouTube channel.',
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
  })
  @IsSecureInProduction()
  @IsUrl(WEB_ADDRESS)
  authorizeUrl!: string;

  @Env('YOUTUBE_WEB_URL', {
    description: 'Base address of the pages of videos.',
    default: 'https://www.youtube.com',
  })
  @IsBaseUrl()
  webUrl!: string;

  @Env('YOUTUBE_CLIENT_ID', {
    description: 'OAuth 2.0 client id at Google. Unset: YouTube channels cannot be connected.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientId?: string;

  @Env('YOUTUBE_CLIENT_SECRET', { description: 'OAuth 2.0 client secret at Google. API only.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientSecret?: string;
}
