import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '#libs/database';
import { oldestWritingTransactions, type WritingTransaction } from '#libs/event-store';
import { Metrics } from '#libs/http';

/** Ordinary transactions end earlier; each named one creates a time series. */
const NAMED_AFTER_SECONDS = 1;

/** The transactions that block the readers of the log, by name, so that an operator knows which process to end. */
@Injectable()
export class WritingTransactionsMetrics {
  private readonly logger = new Logger(WritingTransactionsMetrics.name);
  private reported = new Set<string>();

  private readonly oldest = new Gauge({
    name: 'database_oldest_writing_transaction_seconds',
    help: 'Age of the oldest open transaction that has written; readers of the log wait for it.',
    registers: [],
  });
  private readonly named = new Gauge({
    name: 'database_long_writing_transaction_seconds',
    help: `Age of each open transaction that has written and is older than ${NAMED_AFTER_SECONDS} s (the 10 oldest). pid is empty for a prepared one, and application is its name.`,
    labelNames: ['pid', 'application'] as const,
    registers: [],
  });

  constructor(
    metrics: Metrics,
    private readonly database: Database,
  ) {
    for (const gauge of [this.oldest, this.named]) metrics.registry.registerMetric(gauge);
    metrics.collect('oldest_writing_transaction', [this.oldest, this.named], () => this.read());
  }

  private async read(): Promise<void> {
    const writing = await oldestWritingTransactions(this.database);
    const long = writing.filter(({ ageSeconds }) => ageSeconds >= NAMED_AFTER_SECONDS);
    this.oldest.set(writing[0]?.ageSeconds ?? 0);
    this.named.reset();
    for (const { pid, application, ageSeconds } of long)
      this.named.set({ pid: pid ?? '', application }, ageSeconds);
    this.report(long);
  }

  /** Logs each transaction once, not on every page. */
  private report(long: readonly WritingTransaction[]): void {
    const keyed = new Map(long.map((one) => [`${one.pid} ${one.application}`, one]));
    for (const [key, { pid, application, ageSeconds }] of keyed) {
      if (this.reported.has(key)) continue;
      this.logger.warn(
        { pid, application, ageSeconds },
        'A long writing transaction holds back the readers of the event log.',
      );
    }
    this.reported = new Set(keyed.keys());
  }
}
