import { IsInt, Matches, Max, Min, registerDecorator, type ValidationArguments } from 'class-validator';
import { Env, FromConfig } from '#libs/config';
import type { Platform } from '#libs/content';
import { OutboundHttpConfig } from '../../integrations/index.js';

/** How the worker publishes. */
export class PublishConfig {
  @Env('PUBLISH_CONCURRENCY', {
    description:
      'Maximum number of posts that one worker sends concurrently, each to another account (1 to 1000).',
    default: '256',
  })
  @IsInt()
  @Min(1)
  @Max(1000)
  concurrency!: number;

  /** Interval at which a worker queries due posts without a notification. */
  pollMs = 250;

  @Env('PUBLISH_LEASE_MS', {
    description:
      'Lease of an account by a worker, in milliseconds (1000 to 600000): other workers can take it over after a crash when it expires. More than twice NETWORK_TIMEOUT_MS.',
    default: '30000',
  })
  @IsInt()
  @Min(1_000)
  @Max(600_000)
  @LeavesTimeForACall()
  leaseMs!: number;

  @FromConfig(OutboundHttpConfig, 'timeoutMs')
  callTimeoutMs!: number;

  @Env('PUBLISH_LATE_WINDOW_MS', {
    description:
      'Maximum delay of a post, in milliseconds (1000 to 604800000): a post that is claimed later is not sent and fails as missed.',
    default: '21600000',
  })
  @IsInt()
  @Min(1_000)
  @Max(604_800_000)
  lateWindowMs!: number;

  @Env('PUBLISH_RETRY_BUDGET_MS', {
    description:
      'Time from the first failure of a post that had no effect and passes by itself (a network that does not answer, a rate limit without end) during which it is retried, in milliseconds (0 to 604800000); afterwards it fails as transient. 0: it is not retried.',
    default: '1800000',
  })
  @IsInt()
  @Min(0)
  @Max(604_800_000)
  retryBudgetMs!: number;

  @Env('PUBLISH_RETRY_BUDGETS', {
    description:
      'PUBLISH_RETRY_BUDGET_MS of single networks, such as `x=600000,youtube=7200000`; networks that are not named have the general one.',
    default: '',
  })
  @Matches(/^([a-z-]+=\d{1,9}(,[a-z-]+=\d{1,9})*)?$/, {
    message: 'must have the form x=600000,youtube=7200000',
  })
  retryBudgets!: string;

  @Env('PUBLISH_RETRY_WAIT_MS', {
    description:
      'Pause before the first such retry of a post, in milliseconds (10 to 300000); doubles each time up to five minutes, with jitter.',
    default: '5000',
  })
  @IsInt()
  @Min(10)
  @Max(300_000)
  retryWaitMs!: number;

  @Env('PUBLISH_DECISION_BUDGET_MS', {
    description:
      'Time for which a post waits that its network has accepted and not decided about, in milliseconds (1000 to 72000000); afterwards it is unconfirmed and a person decides.',
    default: '14400000',
  })
  @IsInt()
  @Min(1_000)
  @Max(72_000_000)
  decisionBudgetMs!: number;

  @Env('PUBLISH_RECOVERY_WINDOW_MS', {
    description:
      'Period before a worker last saw the database whose commits may be lost in a promotion or restore, in milliseconds (0 to 604800000); at least the replication lag plus a minute. Posts that were due by then are not sent; workers search the network for them, among its posts since that time. 0: they are sent, which is safe only when no commit was lost.',
    default: '300000',
  })
  @IsInt()
  @Min(0)
  @Max(604_800_000)
  recoveryWindowMs!: number;

  /** First wait before reconciling an attempt without a response; doubles each time. */
  reconcileWaitMs = 1_000;

  budgetOf(platform: Platform): number {
    const budgets = new Map(this.retryBudgets.split(',').map((each) => each.split('=') as [string, string]));
    return Number(budgets.get(platform) ?? this.retryBudgetMs);
  }

  /** After this time an attempt is taken over, unless a worker holds its account: a long upload renews the lease. */
  get abandonedAfterMs(): number {
    return this.leaseMs + this.callTimeoutMs;
  }
}

/** A call has to end within its lease. With a shorter lease every attempt would be put back unsent. */
function LeavesTimeForACall(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name: 'leavesTimeForACall',
      target: target.constructor,
      propertyName: String(propertyName),
      validator: {
        validate: (leaseMs: number, { object }: ValidationArguments) =>
          leaseMs > 2 * (object as PublishConfig).callTimeoutMs,
        defaultMessage: () => 'must be more than twice NETWORK_TIMEOUT_MS',
      },
    });
}
