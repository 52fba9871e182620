import { IsString } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

export class FictionalConfig {
  @Env('FICTIONAL_API_URL', { description: 'Base address of the network.', default: 'http://127.0.0.1:1' })
  @IsBaseUrl()
  apiUrl!: string;

  @Env('FICTIONAL_CLIENT_ID', { description: 'Who this service is there.', default: 'content-operations' })
  @IsString()
  clientId!: string;
}
