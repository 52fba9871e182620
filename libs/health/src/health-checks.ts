import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { CHECK_TIMEOUT_MS, type HealthCheck, probe, type ProbeResult } from './probe.js';

/** Whether the database responds. Hard, because every service needs it. */
@Injectable()
export class DatabaseCheck implements HealthCheck {
  readonly name = 'database';
  readonly hard = true;

  constructor(private readonly database: Database) {}

  async check(): Promise<void> {
    await this.database.ping(CHECK_TIMEOUT_MS);
  }
}

const CACHED_MS = 1_000;

interface Entry {
  readonly check: HealthCheck;
  result?: Promise<ProbeResult>;
  startedAt: number;
  isRunning: boolean;
}

/** The checks of one service. Features add theirs when they start. */
@Injectable()
export class HealthChecks {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly clock: Clock) {}

  add(...checks: readonly HealthCheck[]): void {
    for (const check of checks) {
      if (this.entries.has(check.name)) throw new Error(`There are two health checks named ${check.name}.`);
      this.entries.set(check.name, { check, startedAt: -Infinity, isRunning: false });
    }
  }

  /**
   * * Runs the checks in parallel. Reuses results of the last second and checks that still run: each check may hold a
   * connection, and probes never stop.
   */
  run(which: (check: HealthCheck) => boolean): Promise<ProbeResult[]> {
    const chosen = [...this.entries.values()].filter((entry) => which(entry.check));
    return Promise.all(chosen.map((entry) => this.recent(entry)));
  }

  private recent(entry: Entry): Promise<ProbeResult> {
    const now = this.clock.monotonic();
    const isRecent = entry.isRunning || now - entry.startedAt < CACHED_MS;
    if (entry.result && isRecent) return entry.result;
    entry.startedAt = now;
    entry.result = probe(entry.check, this.start(entry), this.clock);
    return entry.result;
  }

  private async start(entry: Entry): ReturnType<HealthCheck['check']> {
    entry.isRunning = true;
    try {
      return await entry.check.check();
    } finally {
      entry.isRunning = false;
    }
  }
}
