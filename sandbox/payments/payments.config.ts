import { IsOptional, IsUrl, Matches } from 'class-validator';
import { Env, FromConfig } from '#libs/config';
import { SandboxConfig } from '../sandbox.config.js';

export class SandboxPaymentsConfig {
  @FromConfig(SandboxConfig, 'paymentsPort')
  port!: number;

  @Env('SANDBOX_PAYMENTS_SECRET_KEY', {
    description: "Secret key of the account that the sandbox's payment provider starts with.",
    default: 'sk_test_sandboxPlatformAccount0000',
  })
  @Matches(/^sk_test_[A-Za-z0-9]{16,128}$/, { message: 'must be sk_test_ and 16 to 128 letters or digits' })
  secretKey!: string;

  @Env('SANDBOX_PAYMENTS_WEBHOOK_URL', {
    description: 'Address that the payment provider of the sandbox sends events to. Unset: none.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  webhookUrl?: string;

  @Env('SANDBOX_PAYMENTS_WEBHOOK_SECRET', {
    description: 'Signs the events sent to SANDBOX_PAYMENTS_WEBHOOK_URL.',
    default: 'whsec_sandboxPlatformEndpoint00000',
  })
  @Matches(/^whsec_[A-Za-z0-9+/=_-]{16,128}$/, { message: 'must be whsec_ and 16 to 128 characters' })
  webhookSecret!: string;
}
