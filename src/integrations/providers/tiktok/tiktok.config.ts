import {
  IsBoolean,
  IsOptional,
  IsString,
  IsUrl,
  MinLength,
  Validate,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { DeploymentConfig, Env, FromConfig, IsBaseUrl, IsSecureInProduction } from '#libs/config';

const WEB_ADDRESS = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

@ValidatorConstraint({ name: 'isNotInProduction' })
class IsNotInProduction implements ValidatorConstraintInterface {
  validate(isSandbox: unknown, { object }: ValidationArguments): boolean {
    return isSandbox !== true || (object as TikTokConfig).deployment !== 'production';
  }

  defaultMessage(): string {
    return 'must be false when DEPLOY_ENV is production: credentials of a TikTok sandbox publish nothing that others see';
  }
}

/** Addresses and client credentials of TikTok. A worker needs the addresses only: client credentials stay on the API. */
export class TikTokConfig {
  @Env('TIKTOK_API_URL', {
    description: 'Base address of the TikTok API.',
    default: 'https://open.tiktokapis.com',
  })
  @IsBaseUrl()
  apiUrl!: string;

  @Env('TIKTOK_AUTHORIZE_URL', {
    description: 'Page on which a person authorizes access to a TikTok account.',
    default: 'https://www.tiktok.com/v2/auth/authorize/',
  })
  @IsSecureInProduction()
  @IsUrl(WEB_ADDRESS)
  authorizeUrl!: string;

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

  /** Origin of the public posts: the site of the authorize page. */
  get webUrl(): string {
    return this.authorizeUrl.replace(/\/v2\/auth\/authorize\/?.*$/, '');
  }
}
