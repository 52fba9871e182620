import { IsInt, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

export class PlatformClientConfig {
  @Env('IDENTITY_URL', {
    description: 'Base address of the identity service.',
    default: 'http://127.0.0.1:3001',
  })
  @IsBaseUrl()
  identityUrl!: string;

  @Env('IDENTITY_TIMEOUT_MS', {
    description: 'How long one question to identity may take, in milliseconds (100 to 10000).',
    default: '1500',
  })
  @IsInt()
  @Min(100)
  @Max(10_000)
  identityTimeoutMs!: number;
}
