import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

export class PlatformClientConfig {
  @Env('IDENTITY_URL', {
    description: 'Base address of the identity service.',
    default: 'http://127.0.0.1:3001',
  })
  @IsBaseUrl({ inCluster: true })
  identityUrl!: string;

  @Env('IDENTITY_SERVICE_TOKEN', {
    description:
      'Authenticates this service at identity: one of its IDENTITY_SERVICE_TOKENS, without the name. Unset: identity refuses this service, so every request fails.',
  })
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/_=-]{32,256}$/, { message: 'must be 32 to 256 characters of A-Z a-z 0-9 + / _ = -' })
  identityServiceToken?: string;

  @Env('IDENTITY_TIMEOUT_MS', {
    description: 'Timeout of a request to identity, in milliseconds (100 to 10000).',
    default: '1500',
  })
  @IsInt()
  @Min(100)
  @Max(10_000)
  identityTimeoutMs!: number;
}
