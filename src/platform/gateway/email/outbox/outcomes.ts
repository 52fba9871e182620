import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { EmailConfig } from '../email.config.js';
import { Suppressions } from '../suppressions/suppressions.js';
import { ProviderEvents } from '../webhooks/provider-events.js';
import { delayAfter, isTooOld, type Retries } from './backoff.js';
import type { Outcome, OutboxMessage, RecipientResult } from './delivery.types.js';
import { EmailMetrics } from './email.metrics.js';
import { OutboxStore } from './outbox.store.js';

/** Storing is repeated: what is not stored until the lease ends becomes uncertain. Repeating it has no effect. */
const STORE_ATTEMPTS = 6;
const FIRST_WAIT_MS = 200;

/** Stores what attempts found out. */
@Injectable()
export class Outcomes {
  private readonly retries: Retries;

  constructor(
    private readonly store: OutboxStore,
    private readonly suppressions: Suppressions,
    private readonly events: ProviderEvents,
    private readonly database: Database,
    private readonly metrics: EmailMetrics,
    private readonly clock: Clock,
    { retryFirstMs: firstDelayMs, giveUpHours }: EmailConfig,
  ) {
    this.retries = { firstDelayMs, giveUpAfterMs: giveUpHours * 3_600_000 };
  }

  /** @throws DatabaseIsUnavailable when the outcome could not be stored */
  async record(message: OutboxMessage, outcome: Outcome): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.recordOnce(message, outcome);
      } catch (error) {
        if (attempt === STORE_ATTEMPTS) throw error;
        await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
  }

  private async recordOnce(message: OutboxMessage, outcome: Outcome): Promise<void> {
    if (outcome.kind === 'withheld') return;
    const delayMs = delayAfter(message.attempts + 1, this.retries, outcome.retryAfterMs);
    if (outcome.kind === 'repeat') return this.store.postpone(message, delayMs);
    const results = this.withoutExpired(message, outcome.results);
    await this.database.transaction(async () => {
      const changed = await this.store.record(message, results, outcome.providerId ?? null, delayMs);
      const known = new Set(changed.map(({ position }) => position));
      for (const { position, suppress } of results)
        if (suppress && known.has(position))
          await this.suppressions.bounced(message, addressAt(message, position));
      if (outcome.providerId !== undefined) await this.events.applyStored(outcome.providerId);
      this.database.afterCommit(() =>
        this.metrics.count(
          message.provider,
          changed.map(({ state }) => state),
        ),
      );
    });
  }

  private withoutExpired(
    message: OutboxMessage,
    results: readonly RecipientResult[],
  ): readonly RecipientResult[] {
    if (!isTooOld(message.createdAt, this.clock.now(), this.retries)) return results;
    return results.map((result) =>
      result.state === 'queued'
        ? { ...result, state: 'refused', code: '4.4.7', detail: `Given up. ${result.detail ?? ''}`.trim() }
        : result,
    );
  }
}

const addressAt = ({ recipients }: OutboxMessage, position: number): string =>
  recipients.find((recipient) => recipient.position === position)?.address ?? '';
