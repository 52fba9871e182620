import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { EMAIL_PROVIDERS, type EmailProvider } from './email.types.js';

export class EmailConfig {
  @Env('EMAIL_PLATFORM_SENDER', {
    description:
      'Sender of mail of organizations without a domain, `Name <address>`. Its domain belongs to the platform. It becomes the default sender of the platform at each start. Unset: only the domains and senders that platform administrators add.',
  })
  @IsOptional()
  @IsString()
  @Matches(/^[^<>"\r\n]{1,100} <[^<>\s@]+@[^<>\s@]+>$/, { message: 'must be Name <address>' })
  platformSender?: string;

  @Env('EMAIL_PLATFORM_PROVIDER', {
    description: 'Provider that sends for the domain of EMAIL_PLATFORM_SENDER: smtp or resend.',
    default: 'smtp',
  })
  @IsIn(EMAIL_PROVIDERS)
  platformProvider!: EmailProvider;

  @Env('RESEND_URL', { description: 'Base address of the API of Resend.', default: 'https://api.resend.com' })
  @IsBaseUrl({ inCluster: true })
  resendUrl!: string;

  @Env('DNS_QUERY_URL', {
    description:
      'Address that answers DNS queries in JSON (`?name=…&type=TXT`), for the verification of sender domains.',
    default: 'https://dns.google/resolve',
  })
  @IsBaseUrl({ inCluster: true })
  dnsUrl!: string;

  @Env('EMAIL_CONCURRENCY', {
    description:
      'Messages that one process sends at the same time (1 to 256). The own mail server of one organization gets at most a quarter.',
    default: '16',
  })
  @IsInt()
  @Min(1)
  @Max(256)
  concurrency!: number;

  /** How often a process looks for due messages of other processes. */
  pollMs = 500;

  /** A claimed message stays so long with a process that ended. It is renewed while the message is sent. */
  leaseMs = 60_000;

  /** For the connection to a mail server and its greeting. */
  connectTimeoutMs = 30_000;

  /** RFC 5321 asks for 10 minutes after the content. */
  replyTimeoutMs = 600_000;

  /** Delay before the second attempt. It doubles up to an hour. */
  retryFirstMs = 60_000;

  /** A recipient that is still queued then is refused. */
  giveUpHours = 48;

  @Env('EMAIL_BODY_DAYS', {
    description: 'Days after which texts of messages are deleted (1 to 3650). Recipients and states stay.',
    default: '30',
  })
  @IsInt()
  @Min(1)
  @Max(3_650)
  bodyDays!: number;

  @Env('EMAIL_HISTORY_DAYS', {
    description: 'Days after which messages with their recipients and history are deleted (1 to 3650).',
    default: '400',
  })
  @IsInt()
  @Min(1)
  @Max(3_650)
  historyDays!: number;
}
