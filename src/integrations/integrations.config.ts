import { IsOptional, IsString, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

export class IntegrationsConfig {
  @Env('PUBLIC_URL', {
    description: 'Address under which browsers reach this service; networks send people back to it.',
    default: 'http://127.0.0.1:3000',
  })
  @IsBaseUrl()
  publicUrl!: string;

  @Env('API_INTERNAL_URL', {
    description: "Management address of the API, where workers have tokens renewed; the API's own included.",
    default: 'http://127.0.0.1:9000',
  })
  @IsBaseUrl({ inCluster: true })
  apiInternalUrl!: string;

  @Env('INTERNAL_SERVICE_TOKEN', {
    description:
      'Shared secret of calls between processes of one service (at least 32 characters). Unset: none is accepted.',
  })
  @IsOptional()
  @IsString()
  @MinLength(32)
  internalToken?: string;
}
