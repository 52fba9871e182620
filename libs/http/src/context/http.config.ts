import {
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  MinLength,
  registerDecorator,
  ValidateIf,
  type ValidationArguments,
} from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

const LOCAL_CURSOR_SECRET = 'cursors-of-a-local-installation';

/** The environment of every HTTP service. */
export class HttpConfig {
  @Env('NODE_ENV', {
    description: 'production: default values of secrets are refused.',
    default: 'development',
  })
  @IsString()
  nodeEnv!: string;

  get isProduction(): boolean {
    return this.nodeEnv === 'production';
  }

  @Env('HOST', { description: 'Address to listen on.', default: '127.0.0.1' })
  @IsString()
  host!: string;

  @Env('PUBLIC_URL', {
    description: 'Public address of this service, without trailing slash.',
  })
  @IsOptional()
  @IsBaseUrl()
  publicUrl?: string;

  @Env('IN_CLUSTER_HTTP_HOSTS', {
    description:
      'Hosts, separated by commas, for which IDENTITY_URL, GATEWAY_URL, API_INTERNAL_URL and S3_ENDPOINT may use http in production.',
    default: '',
  })
  @Matches(/^([\w.-]+|\[[\da-f:]+\])?(\s*,\s*([\w.-]+|\[[\da-f:]+\]))*$/i, {
    message: 'must be names of hosts without ports, separated by commas',
  })
  inClusterHttpHosts!: string;

  @Env('CORS_ORIGINS', {
    description:
      'Browser origins that may read responses, separated by commas; each exactly scheme://host[:port].',
    default: '',
  })
  @Matches(/^(https?:\/\/[^\s,/]+(\s*,\s*https?:\/\/[^\s,/]+)*)?$/, {
    message: 'must be origins such as https://app.example.com, separated by commas, without paths',
  })
  corsOrigins!: string;

  @Env('CURSOR_SECRET', {
    description:
      'Signs the cursors of lists and keys the fingerprints of requests with an Idempotency-Key, at least 16 characters; the same on every replica.',
    default: LOCAL_CURSOR_SECRET,
  })
  @IsString()
  @MinLength(16)
  @IsNotLocalDefault()
  cursorSecret!: string;

  /** Everyone can sign cursors with it. */
  get hasPublishedCursorSecret(): boolean {
    return this.cursorSecret === LOCAL_CURSOR_SECRET;
  }

  @Env('LOG_LEVEL', { description: 'trace, debug, info, warn, error, fatal or silent.', default: 'info' })
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel!: string;

  /** No default in production: with 0 behind a proxy, all callers share one address and one of them can exhaust its limit. */
  @Env('TRUST_PROXY_HOPS', {
    description:
      'Number of proxies that append to X-Forwarded-For (0 to 10); 0 when unset. Must be set in production, also to 0.',
  })
  @ValidateIf((config: HttpConfig) => config.isProduction || config.trustProxyHops !== undefined)
  @IsInt()
  @Min(0)
  @Max(10)
  trustProxyHops?: number;

  @Env('REQUEST_TIMEOUT_MS', {
    description:
      'Maximum time for a request to arrive, and maximum pause of an upload, in milliseconds (1000 to 600000).',
    default: '60000',
  })
  @IsInt()
  @Min(1_000)
  @Max(600_000)
  requestTimeoutMs!: number;

  @Env('SHUTDOWN_DELAY_MS', {
    description:
      'Time to serve requests after readiness is off, so that load balancers notice, in milliseconds (0 to 60000). Unset: 5000 in a separate process with a public port, 0 in the embedded start and in the worker.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(60_000)
  shutdownDelayMs?: number;

  @Env('SHUTDOWN_GRACE_MS', {
    description: 'Maximum time for requests in flight to finish at shutdown, in milliseconds (0 to 300000).',
    default: '15000',
  })
  @IsInt()
  @Min(0)
  @Max(300_000)
  shutdownGraceMs!: number;

  @Env('RATE_LIMIT_PER_MINUTE', {
    description: 'Requests a caller may send per minute over all replicas; 0 sets no limit.',
    default: '12000',
  })
  @IsInt()
  @Min(0)
  @Max(10_000_000)
  rateLimitPerMinute!: number;

  @Env('RATE_LIMIT_PER_ORGANIZATION', {
    description:
      'Requests that the API keys and service principals of one organization may send together per minute over all replicas; 0 sets no limit.',
    default: '60000',
  })
  @IsInt()
  @Min(0)
  @Max(10_000_000)
  rateLimitPerOrganization!: number;

  @Env('API_DOCS', {
    description: 'true serves /docs and /openapi.json, false does not. Unset: served except in production.',
  })
  @IsOptional()
  @IsBoolean()
  apiDocs?: boolean;
}

/** Not `ValidateIf`, which would also disable the other rules. */
function IsNotLocalDefault(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'isNotTheLocalOne',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: {
        validate: (secret: unknown, { object }: ValidationArguments) =>
          secret !== LOCAL_CURSOR_SECRET || !(object as HttpConfig).isProduction,
        defaultMessage: () => 'must be set in production',
      },
    });
}
