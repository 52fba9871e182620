import type { ValidationArguments } from 'class-validator';
import { IsInt, Max, Min, registerDecorator } from 'class-validator';
import { Env, FromConfig } from '#libs/config';
import { OutboundHttpConfig } from '../../integrations/index.js';

/** How the worker publishes. */
export class PublishConfig {
  @Env('PUBLISH_CONCURRENCY', {
    description: 'Posts one worker sends at the same time, each to another account (1 to 1000).',
    default: '256',
  })
  @IsInt()
  @Min(1)
  @Max(1000)
  concurrency!: number;

  @Env('PUBLISH_POLL_MS', {
    description: 'How often a worker looks for due posts it was not told of, in milliseconds (10 to 250).',
    default: '250',
  })
  @IsInt()
  @Min(10)
  @Max(250)
  pollMs!: number;

  @Env('PUBLISH_LEASE_MS', {
    description:
      'How long an account stays claimed by a worker that no longer answers, in milliseconds (1000 to 600000); more than twice NETWORK_TIMEOUT_MS.',
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
      'A post found later than this after its time is failed as missed instead of going out at a surprising hour (1000 to 604800000).',
    default: '21600000',
  })
  @IsInt()
  @Min(1_000)
  @Max(604_800_000)
  lateWindowMs!: number;

  @Env('PUBLISH_RECOVERY_WINDOW_MS', {
    description:
      'How long before a worker last saw the database its commits may be lost in a promotion or restore (0 to 604800000); at least the replication lag plus a minute. Posts that were due by then are looked for on the network, among what it shows since that time, instead of being sent. 0: send them, safe only when no commit was lost.',
    default: '300000',
  })
  @IsInt()
  @Min(0)
  @Max(604_800_000)
  recoveryWindowMs!: number;

  @Env('PUBLISH_RECONCILE_WAIT_MS', {
    description:
      'First wait before a network is asked whether an attempt without an answer did publish; doubles (0 to 60000).',
    default: '1000',
  })
  @IsInt()
  @Min(0)
  @Max(60_000)
  reconcileWaitMs!: number;

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
