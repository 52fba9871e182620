import { Env, IsBaseUrl } from '#libs/config';

export class YoutubeConfig {
  @Env('YOUTUBE_API_URL', {
    description:
      'Base address of the YouTube Data API. Only the provider gateway calls it; it sends to no other host, whatever an answer says.',
    default: 'https://www.googleapis.com',
  })
  @IsBaseUrl()
  apiUrl!: string;
}
