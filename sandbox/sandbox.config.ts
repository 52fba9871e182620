import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

const commaSeparated = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;

const PLATFORMS = [
  'x',
  'linkedin',
  'linkedin-company',
  'facebook',
  'instagram',
  'threads',
  'youtube',
  'tiktok',
];
const LOCAL_REDIRECT_URIS = ['127.0.0.1', 'localhost'].flatMap((host) =>
  PLATFORMS.map((platform) => `http://${host}:3000/api/integrations/${platform}/callback`),
);

export class SandboxConfig {
  @Env('SANDBOX_HOST', { description: 'Loopback address the sandbox listens on.', default: '127.0.0.1' })
  @Matches(/^(127(\.\d{1,3}){3}|::1|localhost)$/, { message: 'must be a loopback address' })
  host!: string;

  @Env('SANDBOX_PORT', { description: 'Port of the sandbox; 0 takes a free one.', default: '3900' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port!: number;

  @Env('SANDBOX_PAYMENTS_PORT', {
    description:
      "Port of the sandbox's payment provider, whose clients cannot address a path prefix. A free one is taken where it or SANDBOX_PORT is 0.",
    default: '3901',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  paymentsPort!: number;

  @Env('SANDBOX_MAIL_PORT', {
    description: 'SMTP port of the sandbox. A free one is taken where it or SANDBOX_PORT is 0.',
    default: '3902',
  })
  @IsInt()
  @Min(0)
  @Max(65_535)
  mailPort!: number;

  @Env('SANDBOX_DATA', {
    description: "Folder that stores the sandbox's state across restarts. Unset: it starts empty.",
  })
  @IsOptional()
  @IsString()
  data?: string;

  @Env('SANDBOX_DURABLE', {
    description:
      'true: each response is sent after its effect is on disk, so that killing the sandbox loses nothing.',
    default: 'false',
  })
  @IsBoolean()
  durable!: boolean;

  @Env('SANDBOX_RESEND_WEBHOOK_URL', {
    description:
      'Loopback address that gets the signed events of the Resend of the sandbox. Unset: none is sent.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http'] })
  resendWebhookUrl?: string;

  @Env('SANDBOX_PAYMENTS_WEBHOOK_URL', {
    description: 'Address that the payment provider of the sandbox sends events to. Unset: none.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  paymentsWebhookUrl?: string;

  @Env('SANDBOX_REDIRECT_URIS', {
    description: 'Redirect addresses registered at the networks, separated by commas, compared exactly.',
    default: LOCAL_REDIRECT_URIS.join(','),
  })
  @Transform(commaSeparated)
  @IsArray()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] }, { each: true })
  redirectUris!: string[];
}
