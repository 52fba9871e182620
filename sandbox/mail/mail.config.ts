import { IsOptional, IsString, IsUrl, Matches } from 'class-validator';
import { Env } from '#libs/config';

export const RESEND_KEY = /^re_\w{8,80}$/;
export const RESEND_KEY_RULE = 'must be re_ and 8 to 80 letters, digits or _';

/** The mail server of the sandbox and the first account at its Resend. */
export class SandboxMailConfig {
  @Env('SANDBOX_MAIL_USER', { description: 'User of the SMTP server of the sandbox.', default: 'sandbox' })
  @IsString()
  user!: string;

  @Env('SANDBOX_MAIL_PASSWORD', {
    description: 'Password of SANDBOX_MAIL_USER.',
    default: 'sandbox-mail-password',
  })
  @IsString()
  password!: string;

  @Env('SANDBOX_RESEND_KEY', {
    description: 'API key of the account at the Resend of the sandbox.',
    default: 're_sandbox_0123456789abcdef',
  })
  @Matches(RESEND_KEY, { message: RESEND_KEY_RULE })
  resendKey!: string;

  @Env('SANDBOX_RESEND_WEBHOOK_URL', {
    description:
      'Loopback address that gets the signed events of the Resend of the sandbox. Unset: none is sent.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http'] })
  webhookUrl?: string;

  @Env('SANDBOX_RESEND_WEBHOOK_SECRET', {
    description: 'Signing secret of SANDBOX_RESEND_WEBHOOK_URL.',
    default: `whsec_${Buffer.from('webhook secret of the sandbox').toString('base64')}`,
  })
  @Matches(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, { message: 'must be whsec_ and base64 of 24 to 64 bytes' })
  webhookSecret!: string;
}
