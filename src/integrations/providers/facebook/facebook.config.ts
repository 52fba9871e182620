import { IsOptional, IsString, Matches, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { hostOf } from '../host-of.js';
import { GRAPH_VERSION, GRAPH_VERSION_NAME } from '../graph/graph-wire.js';

const REAL = 'https://graph.facebook.com';

/** Addresses and credentials of Facebook. A worker needs the addresses only: the secret stays on the API. */
export class FacebookConfig {
  @Env('FACEBOOK_GRAPH_URL', {
    description:
      'Base address of the Graph API of Facebook. Any other than the default is a stand-in, such as the sandbox: the other hosts of Facebook are paths there.',
    default: REAL,
  })
  @IsBaseUrl()
  graphUrl!: string;

  @Env('FACEBOOK_APP_ID', {
    description: 'Id of the app at Facebook. Unset: pages of Facebook cannot be connected.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  appId?: string;

  @Env('FACEBOOK_APP_SECRET', { description: 'Secret of the app at Facebook. API only.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  appSecret?: string;

  @Env('FACEBOOK_API_VERSION', {
    description: 'Version of the Graph API that is called at Facebook.',
    default: GRAPH_VERSION,
  })
  @Matches(GRAPH_VERSION_NAME, { message: 'must be a version such as v25.0' })
  apiVersion!: string;

  /** With the version. */
  get graph(): string {
    return `${this.graphUrl}/${this.apiVersion}`;
  }

  /** The Graph API for uploads of videos. */
  get videoUrl(): string {
    return hostOf(this.graphUrl, REAL, 'https://graph-video.facebook.com', '/facebook-video');
  }

  /** Takes the bytes of reels. Other addresses are refused. */
  get uploadUrl(): string {
    return hostOf(this.graphUrl, REAL, 'https://rupload.facebook.com', '/facebook-upload');
  }

  /** The site on which a person authorizes access. */
  get dialogUrl(): string {
    return hostOf(this.graphUrl, REAL, 'https://www.facebook.com', '/facebook-web');
  }
}
