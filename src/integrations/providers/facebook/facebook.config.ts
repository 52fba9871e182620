import { IsOptional, IsString, Matches, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { GRAPH_VERSION, GRAPH_VERSION_NAME } from '../graph/graph-wire.js';

/** Addresses and credentials of Facebook. A worker needs the addresses only: the secret stays on the API. */
export class FacebookConfig {
  @Env('FACEBOOK_GRAPH_URL', {
    description: 'Base address of the Graph API of Facebook.',
    default: 'https://graph.facebook.com',
  })
  @IsBaseUrl()
  graphUrl!: string;

  @Env('FACEBOOK_VIDEO_URL', {
    description: 'Base address of the Graph API of Facebook for uploads of videos.',
    default: 'https://graph-video.facebook.com',
  })
  @IsBaseUrl()
  videoUrl!: string;

  @Env('FACEBOOK_UPLOAD_URL', {
    description: 'Base address to which Facebook takes the bytes of reels. Other addresses are refused.',
    default: 'https://rupload.facebook.com',
  })
  @IsBaseUrl()
  uploadUrl!: string;

  @Env('FACEBOOK_DIALOG_URL', {
    description: 'Site on which a person authorizes access to pages of Facebook.',
    default: 'https://www.facebook.com',
  })
  @IsBaseUrl()
  dialogUrl!: string;

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
}
