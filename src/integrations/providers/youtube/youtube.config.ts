import { IsOptional, IsString, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { hostOf } from '../host-of.js';

const REAL = 'https://oauth2.googleapis.com';

/** YouTube's sign-in. Channels and videos go through the provider gateway. A worker needs no client credentials. */
export class YoutubeConfig {
  @Env('YOUTUBE_OAUTH_URL', {
    description:
      "Base address of Google's token endpoint, for YouTube. Any other than the default is a stand-in, such as the sandbox: the other hosts of Google are paths there.",
    default: REAL,
  })
  @IsBaseUrl()
  oauthUrl!: string;

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

  /** The page on which a person authorizes access. */
  get authorizeUrl(): string {
    return (
      hostOf(this.oauthUrl, REAL, 'https://accounts.google.com', '/google-accounts') + '/o/oauth2/v2/auth'
    );
  }

  /** Of the pages of videos. */
  get webUrl(): string {
    return hostOf(this.oauthUrl, REAL, 'https://www.youtube.com', '/youtube-web');
  }
}
