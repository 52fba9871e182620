import { Injectable } from '@nestjs/common';
import type { FailureReport, Instant, Platform } from '#libs/content';
import { Database } from '#libs/database';
import { NETWORK_UNREACHABLE } from '../domain/network-state.js';
import { NetworkOutageConfig } from './network-outage.config.js';
import { ANSWERED, CLAIM_PROBES, CURRENT, FAILED, GIVE_PROBES_BACK, NOW_IS } from './outage.statements.js';

export interface Silence {
  readonly platform: Platform;
  /** Of the account that had no answer. */
  readonly accountKey: string;
  readonly failure: FailureReport;
  readonly isProbe: boolean;
}

export interface AfterSilence {
  /** By the database's clock. */
  readonly at: Instant;
  /** Posts of all accounts wait. */
  readonly isDown: boolean;
}

/** Why other posts wait: nothing of them was sent, whatever became of the post that failed. */
const outageBy = ({ networkCode }: FailureReport): FailureReport => ({
  code: NETWORK_UNREACHABLE,
  class: 'transient',
  networkCode,
  message: 'The network does not answer for several accounts; nothing was sent.',
  nextStep: 'Retry in some minutes.',
});

/** Failures of accounts count together within this time. */
const TOGETHER_SECONDS = 60;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Which networks answer no account, for all workers. A network is down when several accounts, one after another, had no answer and no
 * other account had one meanwhile. docs/decisions/network-outages.md
 */
@Injectable()
export class NetworkOutages {
  constructor(
    private readonly database: Database,
    private readonly config: NetworkOutageConfig,
  ) {}

  async failed({ platform, accountKey, failure, isProbe }: Silence): Promise<AfterSilence> {
    const { accounts, probeMs } = this.config;
    const window = [probeMs, LONGEST_PAUSE_MS, TOGETHER_SECONDS, isProbe];
    const values = [platform, accountKey, JSON.stringify(outageBy(failure)), accounts, ...window];
    const [row] = await this.database.query<{ at: Date; isDown: boolean }>(FAILED, values);
    const { at, isDown } = row as { at: Date; isDown: boolean };
    return { at: at.toISOString(), isDown };
  }

  /** By the database's clock. */
  async now(): Promise<Instant> {
    const [row] = await this.database.query<{ at: Date }>(NOW_IS);
    return (row as { at: Date }).at.toISOString();
  }

  /** @param since when the attempt began that the network answered */
  async answered(platform: Platform, since: Instant): Promise<void> {
    await this.database.query(ANSWERED, [platform, since]);
  }

  /** @param forMs another worker may probe after that, unless the probe reports before. @returns those that the caller probes */
  async claimProbes(platforms: readonly Platform[], forMs: number): Promise<ReadonlySet<Platform>> {
    const rows = await this.database.query<{ platform: Platform }>(CLAIM_PROBES, [platforms, forMs]);
    return new Set(rows.map(({ platform }) => platform));
  }

  /** Of networks to which nothing was sent after all. */
  async giveProbesBack(platforms: readonly Platform[]): Promise<void> {
    await this.database.query(GIVE_PROBES_BACK, [platforms]);
  }

  /** Seconds since when each network is down that is. */
  async current(): Promise<ReadonlyMap<Platform, number>> {
    const rows = await this.database.query<{ platform: Platform; seconds: number }>(CURRENT);
    return new Map(rows.map(({ platform, seconds }) => [platform, seconds]));
  }
}
