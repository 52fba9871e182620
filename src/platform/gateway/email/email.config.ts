import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';
import { EMAIL_PROVIDERS, type EmailProvider } from './email.types.js';

/** How the gateway sends mail. */
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

  @Env('EMAIL_POLL_MS', {
    description:
      'How often a process looks for due messages of other processes, in milliseconds (10 to 60000).',
    default: '500',
  })
  @IsInt()
  @Min(10)
  @Max(60_000)
  pollMs!: number;

  @Env('EMAIL_LEASE_MS', {
    description:
      'How long a claimed message stays with a process that ended, in milliseconds (1000 to 600000). It is renewed while the message is sent.',
    default: '60000',
  })
  @IsInt()
  @Min(1_000)
  @Max(600_000)
  leaseMs!: number;

  @Env('EMAIL_CONNECT_TIMEOUT_MS', {
    description:
      'Time limit of the connection to a mail server and of its greeting, in milliseconds (100 to 120000).',
    default: '30000',
  })
  @IsInt()
  @Min(100)
  @Max(120_000)
  connectTimeoutMs!: number;

  @Env('EMAIL_REPLY_TIMEOUT_MS', {
    description:
      'How long a reply of a mail server is awaited, in milliseconds (100 to 600000). RFC 5321 asks for 10 minutes after the content.',
    default: '600000',
  })
  @IsInt()
  @Min(100)
  @Max(600_000)
  replyTimeoutMs!: number;

  @Env('EMAIL_RETRY_FIRST_MS', {
    description: 'Delay before the second attempt, in milliseconds (1 to 3600000). It doubles up to an hour.',
    default: '60000',
  })
  @IsInt()
  @Min(1)
  @Max(3_600_000)
  retryFirstMs!: number;

  @Env('EMAIL_GIVE_UP_HOURS', {
    description: 'After so many hours a recipient that is still queued is refused (1 to 168).',
    default: '48',
  })
  @IsInt()
  @Min(1)
  @Max(168)
  giveUpHours!: number;

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
