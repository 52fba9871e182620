import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { Metrics } from '#libs/http';
import { EmailConfig } from '../email.config.js';
import { Suppressions } from '../suppressions/suppressions.js';
import { ProviderEvents } from '../webhooks/provider-events.js';
import type { OutboxMessage, Outcome, RecipientResult } from './delivery.types.js';
import { OUTBOX_STATE, OutboxStore } from './outbox.store.js';

/** Doubles from the first delay up to an hour. */
const LONGEST_MS = 60 * 60_000;
/** Of a wait that a provider asks for. */
const LONGEST_ASKED_MS = 24 * 60 * 60_000;

/**
 * Milliseconds until the next attempt, with jitter of a fifth.
 * @param attempts ended ones, this one included. @param askedMs what the provider asks to wait
 */
function delayAfter(attempts: number, firstDelayMs: number, askedMs = 0): number {
  const doubled = Math.min(LONGEST_MS, firstDelayMs * 2 ** Math.min(attempts - 1, 20));
  return Math.max(doubled * (0.9 + 0.2 * Math.random()), Math.min(askedMs, LONGEST_ASKED_MS));
}

interface OutboxState {
  readonly open: number;
  readonly oldestSeconds: number;
  readonly uncertain: number;
}

/** What the outbox did and what it still has to do. */
@Injectable()
export class EmailMetrics {
  private readonly results: Counter<'provider' | 'state'>;

  constructor(metrics: Metrics, database: Database) {
    const registers = [metrics.registry];
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
    this.results = new Counter({
      name: 'email_recipients_total',
      help: 'Results of attempts, by provider and state of the recipient; queued ones are tried again.',
      labelNames: ['provider', 'state'],
      registers,
    });
    const open = gauge('email_outbox_messages', 'Messages with recipients that are still to be sent to.');
    const oldest = gauge('email_outbox_oldest_seconds', 'Age of the oldest of them.');
    const uncertain = gauge(
      'email_uncertain_recipients',
      'Recipients whose delivery a person has to resolve.',
    );
    metrics.collect('email_outbox', [open, oldest, uncertain], async () => {
      const [state] = await database.query<OutboxState>(OUTBOX_STATE);
      open.set(state?.open ?? 0);
      oldest.set(state?.oldestSeconds ?? 0);
      uncertain.set(state?.uncertain ?? 0);
    });
  }

  count(provider: string, states: readonly string[]): void {
    for (const state of states) this.results.inc({ provider, state });
  }
}

/** Storing is repeated: what is not stored until the lease ends becomes uncertain. Repeating it has no effect. */
const STORE_ATTEMPTS = 6;
const FIRST_WAIT_MS = 200;

/** Stores what attempts found out. */
@Injectable()
export class Outcomes {
  constructor(
    private readonly store: OutboxStore,
    private readonly suppressions: Suppressions,
    private readonly events: ProviderEvents,
    private readonly database: Database,
    private readonly metrics: EmailMetrics,
    private readonly clock: Clock,
    private readonly config: EmailConfig,
  ) {}

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
    const delayMs = delayAfter(message.attempts + 1, this.config.retryFirstMs, outcome.retryAfterMs);
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
    const age = this.clock.now().getTime() - message.createdAt.getTime();
    if (age < this.config.giveUpHours * 3_600_000) return results;
    return results.map((result) =>
      result.state === 'queued'
        ? { ...result, state: 'refused', code: '4.4.7', detail: `Given up. ${result.detail ?? ''}`.trim() }
        : result,
    );
  }
}

const addressAt = ({ recipients }: OutboxMessage, position: number): string =>
  recipients.find((recipient) => recipient.position === position)?.address ?? '';
