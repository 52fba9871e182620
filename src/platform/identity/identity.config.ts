import { IsInt, Matches, Max, Min } from 'class-validator';
import { Env, HasDistinctIds } from '#libs/config';

/** One or more entries of a version and at least 32 bytes as base64; see `peppersOf`. */
const PEPPERS =
  /^(0|[1-9]\d{0,3}):[A-Za-z0-9+/_-]{43,}={0,2}(,(0|[1-9]\d{0,3}):[A-Za-z0-9+/_-]{43,}={0,2})*$/;

/** One or more entries of a name and a token of 32 to 256 characters. */
const SERVICE_TOKENS =
  /^[a-z][a-z0-9-]{0,62}:[A-Za-z0-9+/_=-]{32,256}(,[a-z][a-z0-9-]{0,62}:[A-Za-z0-9+/_=-]{32,256})*$/;

export class IdentityConfig {
  @Env('IDENTITY_PEPPERS', {
    description:
      'Keys for the hashes of tokens and API keys, `version:base64,…`, at least 32 bytes each; the first creates hashes, the others only verify.',
  })
  @Matches(PEPPERS, { message: 'must be version:base64 of at least 32 bytes, separated by commas' })
  @HasDistinctIds()
  peppers!: string;

  @Env('IDENTITY_SERVICE_TOKENS', {
    description:
      'Tokens that authenticate services at /validate, `name:token,…`, at least 32 characters each. A name can have several tokens.',
  })
  @Matches(SERVICE_TOKENS, { message: 'must be name:token of 32 to 256 characters, separated by commas' })
  serviceTokens!: string;

  @Env('ACCESS_TOKEN_MINUTES', {
    description: 'Lifetime of an access token, in minutes (1 to 1440).',
    default: '60',
  })
  @IsInt()
  @Min(1)
  @Max(1440)
  accessTokenMinutes!: number;

  @Env('REFRESH_TOKEN_DAYS', {
    description: 'Lifetime of a refresh token and of an idle session, in days (1 to 365).',
    default: '30',
  })
  @IsInt()
  @Min(1)
  @Max(365)
  refreshTokenDays!: number;

  @Env('SESSION_DAYS', {
    description:
      'Maximum lifetime of a session, also when it is in use, in days; then the user signs in again (1 to 3650).',
    default: '180',
  })
  @IsInt()
  @Min(1)
  @Max(3650)
  sessionDays!: number;

  @Env('API_KEYS_PER_ORGANIZATION', {
    description: 'Maximum number of active API keys of an organization (1 to 10000).',
    default: '50',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxApiKeys!: number;

  @Env('SERVICE_PRINCIPALS_PER_ORGANIZATION', {
    description: 'Maximum number of active service principals of an organization (1 to 10000).',
    default: '50',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxServicePrincipals!: number;

  @Env('INVITATION_DAYS', {
    description: 'Days until an invitation to an organization expires (1 to 90).',
    default: '14',
  })
  @IsInt()
  @Min(1)
  @Max(90)
  invitationDays!: number;

  @Env('AUDIT_RETENTION_DAYS', {
    description: 'Days until identity deletes audit events with an IP address (30 to 3650).',
    default: '365',
  })
  @IsInt()
  @Min(30)
  @Max(3650)
  auditRetentionDays!: number;

  @Env('CONCURRENT_PASSWORD_HASHES', {
    description: 'Maximum number of concurrent password hashes; each uses 19 MiB and a core (1 to 64).',
    default: '2',
  })
  @IsInt()
  @Min(1)
  @Max(64)
  concurrentHashes!: number;
}
