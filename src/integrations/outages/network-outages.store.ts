import { Injectable } from '@nestjs/common';
import type { FailureReport, Instant, Platform } from '#libs/content';
import { Database } from '#libs/database';
import { NETWORK_UNREACHABLE } from '../domain/network-state.js';
import { NetworkOutageConfig } from './network-outage.config.js';
import { ANSWERED, CLAIM_PROBES, CURRENT, FAILED, RELEASE_PROBES, NOW_IS } from './outage.statements.js';

export interface Silence {
  readonly platform: Platform;
  /** The account that had no answer. */
  readonly accountKey: string;
  readonly failure: FailureReport;
  readonly isProbe: boolean;
}

export interface CurrentOutage {
  readonly platform: Platform;
  readonly seconds: number;
  readonly failure: FailureReport;
  /** The network refuses this service itself: an operator has to act. */
  readonly isRefusal: boolean;
}

export interface AfterSilence {
  /** By the database's clock. */
  readonly at: Instant;
  /** Posts of all accounts wait. */
  readonly isDown: boolean;
}

/** Why other posts wait: nothing of them was sent, whatever became of the post that failed. */
const silenceBy = ({ networkCode }: FailureReport): FailureReport => ({
  code: NETWORK_UNREACHABLE,
  class: 'transient',
  networkCode,
  message: 'The network does not answer for several accounts; nothing was sent.',
  nextStep: 'Retry in some minutes.',
});

/** The network refuses this service itself, whichever account calls. */
const refusesService = ({ class: failureClass }: FailureReport): boolean => failureClass === 'configuration';

/** Failures of accounts count together within this time. */
const TOGETHER_SECONDS = 60;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Which networks answer no account or refuse this service itself, for all workers. A network is down when several accounts, one after
 * another, had no answer and no other account had one meanwhile; a refusal of the service concerns all accounts at once.
 * docs/design/holds.md
 */
@Injectable()
export class NetworkOutages {
  constructor(
    private readonly database: Database,
    private readonly config: NetworkOutageConfig,
  ) {}

  async failed({ platform, accountKey, failure, isProbe }: Silence): Promise<AfterSilence> {
    const { probeMs } = this.config;
    const [accounts, reason] = refusesService(failure)
      ? [1, failure]
      : [this.config.accounts, silenceBy(failure)];
    const window = [probeMs, LONGEST_PAUSE_MS, TOGETHER_SECONDS, isProbe];
    const values = [platform, accountKey, JSON.stringify(reason), accounts, ...window];
    const [row] = await this.database.query<{ at: Date; isDown: boolean }>(FAILED, values);
    const { at, isDown } = row as { at: Date; isDown: boolean };
    return { at: at.toISOString(), isDown };
  }

  /** By the database's clock. */
  async now(): Promise<Instant> {
    const [row] = await this.database.query<{ at: Date }>(NOW_IS);
    return (row as { at: Date }).at.toISOString();
  }

  /** @param since when the attempt began that the network answered. @param accepted whether the network thereby accepted this service */
  async answered(platform: Platform, since: Instant, accepted: boolean): Promise<void> {
    await this.database.query(ANSWERED, [platform, since, accepted]);
  }

  /** @param forMs another worker may probe after that, unless the probe reports before. @returns those that the caller probes */
  async claimProbes(platforms: readonly Platform[], forMs: number): Promise<ReadonlySet<Platform>> {
    const rows = await this.database.query<{ platform: Platform }>(CLAIM_PROBES, [platforms, forMs]);
    return new Set(rows.map(({ platform }) => platform));
  }

  async releaseProbes(platforms: readonly Platform[]): Promise<void> {
    await this.database.query(RELEASE_PROBES, [platforms]);
  }

  current(): Promise<CurrentOutage[]> {
    return this.database.query<CurrentOutage>(CURRENT);
  }
}
