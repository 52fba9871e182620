import {
  IsBoolean,
  IsOptional,
  IsString,
  MinLength,
  Validate,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { DeploymentConfig, Env, FromConfig, IsBaseUrl } from '#libs/config';
import { hostOf } from '../host-of.js';

@ValidatorConstraint({ name: 'isNotInProduction' })
class IsNotInProduction implements ValidatorConstraintInterface {
  validate(isSandbox: unknown, { object }: ValidationArguments): boolean {
    return isSandbox !== true || (object as TikTokConfig).deployment !== 'production';
  }

  defaultMessage(): string {
    return 'must be false when DEPLOY_ENV is production: credentials of a TikTok sandbox publish nothing that others see';
  }
}

const REAL = 'https://open.tiktokapis.com';

/** Addresses and client credentials of TikTok. A worker needs the addresses only: client credentials stay on the API. */
export class TikTokConfig {
  @Env('TIKTOK_API_URL', {
    description:
      'Base address of the TikTok API. Any other than the default is a stand-in, such as the sandbox: the other hosts of TikTok are paths there.',
    default: REAL,
  })
  @IsBaseUrl()
  apiUrl!: string;

  @Env('TIKTOK_CLIENT_KEY', {
    description: 'Client key of the app at TikTok. Unset: TikTok accounts cannot be connected.',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientKey?: string;

  @Env('TIKTOK_CLIENT_SECRET', { description: 'Client secret of the app at TikTok. API only.' })
  @IsOptional()
  @IsString()
  @MinLength(1)
  clientSecret?: string;

  @Env('TIKTOK_SANDBOX', {
    description:
      'true: the client key is of a TikTok sandbox, or of an app that TikTok has not audited. Posts are visible to their account only. Not allowed in production.',
    default: 'false',
  })
  @IsBoolean()
  @Validate(IsNotInProduction)
  isSandbox!: boolean;

  @FromConfig(DeploymentConfig, 'deployment')
  deployment!: DeploymentConfig['deployment'];

  /** Of the public posts and the page on which a person authorizes access. */
  get webUrl(): string {
    return hostOf(this.apiUrl, REAL, 'https://www.tiktok.com', '/tiktok-web');
  }

  get authorizeUrl(): string {
    return `${this.webUrl}/v2/auth/authorize/`;
  }
}
