import { IsOptional, IsString, Matches, MinLength } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { hostOf } from '../host-of.js';
import type { Variant } from './linkedin-variants.js';
import type { ApiVersion } from '../../domain/network-limits.js';

interface Credentials {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

const REAL = 'https://api.linkedin.com';

/** Addresses, version and client credentials of LinkedIn. A worker needs no credentials: they stay on the API. */
export class LinkedInConfig {
  @Env('LINKEDIN_API_URL', {
    description:
      'Base address of the LinkedIn API. Any other than the default is a stand-in, such as the sandbox: the other hosts of LinkedIn are paths there.',
    default: REAL,
  })
  @IsBaseUrl()
  apiUrl!: string;

  @Env('LINKEDIN_VERSION', {
    description: 'Version of the LinkedIn API, YYYYMM. LinkedIn retires each one after about a year.',
    default: '202608',
  })
  @Matches(/^20\d\d(0[1-9]|1[0-2])$/, { message: 'must be a year and a month, such as 202608' })
  version!: string;

  @Env('LINKEDIN_CLIENT_ID', {
    description: 'OAuth 2.0 client id at LinkedIn. Unset: LinkedIn accounts cannot be connected.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientId?: string;

  @Env('LINKEDIN_CLIENT_SECRET', { description: 'OAuth 2.0 client secret at LinkedIn. API only.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientSecret?: string;

  @Env('LINKEDIN_COMPANY_CLIENT_ID', {
    description:
      'Client id of the app with the Community Management API, which LinkedIn allows on an app of its own only. Unset: LINKEDIN_CLIENT_ID.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  companyClientId?: string;

  @Env('LINKEDIN_COMPANY_CLIENT_SECRET', {
    description: 'Client secret of the app of LINKEDIN_COMPANY_CLIENT_ID. API only.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  companyClientSecret?: string;

  /** Of the public posts and the page on which a person authorizes access. */
  get webUrl(): string {
    return hostOf(this.apiUrl, REAL, 'https://www.linkedin.com', '/linkedin-web');
  }

  /** Below it LinkedIn exchanges and revokes tokens. */
  get oauthUrl(): string {
    return `${this.webUrl}/oauth/v2`;
  }

  get authorizeUrl(): string {
    return `${this.oauthUrl}/authorization`;
  }

  /** Companies have credentials of their own, or those of members. */
  credentialsOf({ platform }: Pick<Variant, 'platform'>): Credentials {
    return platform === 'linkedin-company' && this.companyClientId !== undefined
      ? { clientId: this.companyClientId, clientSecret: this.companyClientSecret }
      : { clientId: this.clientId, clientSecret: this.clientSecret };
  }
}

/**
 * When LinkedIn stops serving a version: learn.microsoft.com/linkedin/marketing/integrations/migrations and api-evangelist/linkedin,
 * read 2026-11-21. LinkedIn publishes a version each month, serves it for at least twelve months, and answers 426 afterwards.
 */
const ENDS: Readonly<Record<string, string>> = {
  '202511': '2026-11-16T00:00:00.000Z',
  '202601': '2027-01-15T00:00:00.000Z',
  '202602': '2027-02-15T00:00:00.000Z',
  '202603': '2027-03-16T00:00:00.000Z',
};

/** An end that is not announced is assumed in the middle of the month a year later, like the earliest announced ones. */
export const apiVersionOf = (name: string): ApiVersion => ({ name, endsAt: ENDS[name] ?? earliestEnd(name) });

function earliestEnd(name: string): string | null {
  const [, year, month] = /^(20\d\d)(0[1-9]|1[0-2])$/.exec(name) ?? [];
  return year && month ? `${Number(year) + 1}-${month}-15T00:00:00.000Z` : null;
}
