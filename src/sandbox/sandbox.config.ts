import { Transform } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { Env } from '#libs/config';

const commaSeparated = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;

export class SandboxConfig {
  @Env('SANDBOX_HOST', { description: 'Loopback address the sandbox listens on.', default: '127.0.0.1' })
  @Matches(/^(127(\.\d{1,3}){3}|::1|localhost)$/, { message: 'must be a loopback address' })
  host!: string;

  @Env('SANDBOX_PORT', { description: 'Port of the sandbox; 0 takes a free one.', default: '3900' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port!: number;

  @Env('SANDBOX_DATA', {
    description: 'Folder that keeps the sandbox across restarts; without it, it starts empty.',
  })
  @IsOptional()
  @IsString()
  data?: string;

  @Env('SANDBOX_DURABLE', {
    description: 'true: nothing is answered before it is written, so that killing the sandbox loses nothing.',
    default: 'false',
  })
  @IsBoolean()
  durable!: boolean;

  @Env('SANDBOX_MAX_EFFECTS', {
    description: 'Effects and posts kept in memory (1000 to 5000000); the oldest are forgotten first.',
    default: '200000',
  })
  @IsInt()
  @Min(1_000)
  @Max(5_000_000)
  maxEffects!: number;

  @Env('SANDBOX_X_CLIENT_ID', {
    description: 'Client id that the sandbox of X has registered.',
    default: 'sandbox-client',
  })
  @IsString()
  xClientId!: string;

  @Env('SANDBOX_X_CLIENT_SECRET', {
    description: 'Client secret that belongs to it.',
    default: 'sandbox-secret',
  })
  @IsString()
  xClientSecret!: string;

  @Env('SANDBOX_X_CLIENT_TYPE', {
    description: 'confidential: it shows that secret. public: it has none, and names itself only.',
    default: 'confidential',
  })
  @IsIn(['confidential', 'public'])
  xClientType!: 'confidential' | 'public';

  @Env('SANDBOX_REDIRECT_URIS', {
    description: 'Redirect addresses registered with the networks, comma separated, compared exactly.',
    default:
      'http://127.0.0.1:3000/api/integrations/x/callback,http://localhost:3000/api/integrations/x/callback',
  })
  @Transform(commaSeparated)
  @IsArray()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] }, { each: true })
  redirectUris!: string[];
}
