import { Injectable, Logger } from '@nestjs/common';
import type { FailureReport, Instant, Platform } from '#libs/content';
import { RATE_LIMIT_REACHED } from '../connections/platform-holds.store.js';
import { type DeliveryOutcome, MEDIA_MISSING, MEDIA_UNREADABLE } from '../domain/delivery-outcome.js';
import { NETWORK_PROCESSING } from '../domain/network-state.js';
import { type AfterSilence, NetworkOutages } from './network-outages.store.js';

export interface AttemptAtNetwork {
  /** By the database's clock. */
  readonly startedAt: Instant;
  /** Only this attempt is sent: it finds out whether an outage is over. */
  readonly isProbe: boolean;
  /** Attempts before it had no answer. */
  readonly isFailing: boolean;
}

export interface Watched extends AttemptAtNetwork {
  readonly platform: Platform;
  readonly accountKey: string;
}

/** `silence`: no usable response. `refusal`: the network refuses this service itself. `answer`: the network works. */
export type Ended =
  | (Exclude<DeliveryOutcome, { kind: 'passing' }> & { readonly isSilent?: true })
  | {
      readonly kind: 'passing';
      readonly failure: FailureReport;
      readonly says: 'silence' | 'refusal' | 'answer';
    };

/** Failures of our own store, limits that this service counts itself, and attempts that sent nothing. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  MEDIA_UNREADABLE,
  MEDIA_MISSING,
  RATE_LIMIT_REACHED,
  'abandoned',
]);

/** Reports to all workers whether a network answers. Attempts at networks that answer need no statement. */
@Injectable()
export class NetworkWatch {
  private readonly logger = new Logger(NetworkWatch.name);
  /** Where an attempt of this process had no answer after the last report of one. What is stored decides; this saves statements. */
  private readonly failing = new Set<Platform>();

  constructor(private readonly outages: NetworkOutages) {}

  /** @throws only of a passing failure: nothing was published */
  async outcomeOf(attempt: Watched, ended: Ended): Promise<DeliveryOutcome> {
    switch (ended.kind) {
      case 'passing':
        return this.passing(attempt, ended);
      case 'unconfirmed':
        if (ended.isSilent) await this.quietly(() => this.silent(attempt, ended.failure));
        else await this.answered(attempt, true);
        return { kind: 'unconfirmed', failure: ended.failure };
      default:
        if (SAYS_NOTHING.has(codeOf(ended))) await this.unasked(attempt);
        else await this.answered(attempt, acceptsService(ended));
        return ended;
    }
  }

  /** The cause concerns this attempt alone. */
  async passed(failure: FailureReport): Promise<DeliveryOutcome> {
    return { kind: 'passing', failure, at: await this.outages.now(), isNetworkDown: false };
  }

  private async passing(
    attempt: Watched,
    { failure, says }: Ended & { readonly kind: 'passing' },
  ): Promise<DeliveryOutcome> {
    if (says === 'answer') {
      await this.answered(attempt, false);
      return this.passed(failure);
    }
    const { at, isDown } = await this.silent(attempt, failure);
    return { kind: 'passing', failure, at, isNetworkDown: isDown };
  }

  /** Another post may probe at once. */
  private async unasked({ platform, isProbe }: Watched): Promise<void> {
    if (isProbe) await this.quietly(() => this.outages.releaseProbes([platform]));
  }

  private silent(attempt: Watched, failure: FailureReport): Promise<AfterSilence> {
    this.failing.add(attempt.platform);
    return this.outages.failed({ ...attempt, failure });
  }

  private async answered(attempt: Watched, accepted: boolean): Promise<void> {
    const { platform, startedAt, isFailing, isProbe } = attempt;
    const wasFailing = this.failing.delete(platform);
    if (!wasFailing && !isFailing && !isProbe) return;
    await this.quietly(() => this.outages.answered(platform, startedAt, accepted));
    if (!accepted) await this.unasked(attempt);
  }

  /** The outcome of the attempt does not depend on whether it is stored. */
  private async quietly(report: () => Promise<unknown>): Promise<void> {
    try {
      await report();
    } catch (error) {
      this.logger.warn(error, 'Whether a network answers could not be stored.');
    }
  }
}

/** A network may refuse a token, or ask an account to wait, before it looks which service calls. */
function acceptsService(ended: Exclude<Ended, { kind: 'passing' | 'unconfirmed' }>): boolean {
  if (ended.kind === 'failed') return ended.failure.class !== 'auth';
  return ended.kind !== 'held' || ended.reason === NETWORK_PROCESSING;
}

function codeOf(ended: Ended): string {
  if (ended.kind === 'held') return ended.reason;
  return ended.kind === 'failed' ? ended.failure.code : ended.kind;
}
