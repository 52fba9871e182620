import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '#libs/clock';
import { UsedTime } from '#libs/concurrency';
import { DueLoop } from '#libs/due-work';
import { EmailConfig } from '../email.config.js';
import { DeliverMessage } from './deliver-message.js';
import type { OutboxMessage } from './delivery.types.js';
import { Outcomes } from './outcomes.js';
import { OutboxStore } from './outbox.store.js';
import { capacityFor, type Sent } from './capacity.js';

/** Longest wait for messages that are being sent at shutdown. */
const SHUTDOWN_MS = 20_000;

/**
 * Sends due messages. Every replica of the gateway runs it: a message is claimed by a lease with a fencing token, and the content is
 * written only after that was stored under the token.
 */
@Injectable()
export class SendDueEmail implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SendDueEmail.name);
  private readonly running = new Map<Promise<void>, Sent>();
  /** Of this process. Others have turns of their own. */
  private readonly used: UsedTime;
  private readonly loop: DueLoop;

  constructor(
    private readonly store: OutboxStore,
    private readonly delivery: DeliverMessage,
    private readonly outcomes: Outcomes,
    private readonly config: EmailConfig,
    clock: Clock,
  ) {
    this.used = new UsedTime(() => clock.monotonic());
    this.loop = new DueLoop({
      run: () => this.run(),
      pollMs: config.pollMs,
      onError: (error) =>
        this.logger.error(error, 'Due messages could not be claimed. They are tried again.'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Messages are due now. */
  wake(): void {
    this.loop.wake();
  }

  /** Claims no more messages. Sessions that take too long are ended: a message whose content was written is uncertain, others wait. */
  async beforeApplicationShutdown(): Promise<void> {
    const late = new AbortController();
    const tooLate = sleep(SHUTDOWN_MS, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.loop.stop().then(() => this.settled()), tooLate]);
    late.abort();
    this.delivery.abort();
    await this.settled();
  }

  private async settled(): Promise<void> {
    await Promise.all(this.running.keys());
  }

  private async run(): Promise<number> {
    const capacity = capacityFor(this.running.values(), this.config.concurrency);
    if (capacity.total === 0) return Infinity;
    const claimed = await this.store.claim(capacity, this.config.leaseMs, this.used.leastFirst());
    for (const message of claimed) this.track(message);
    return claimed.length === capacity.total ? 0 : Infinity;
  }

  private track(message: OutboxMessage): void {
    const { organizationId, isPlatform } = message;
    const { end } = this.used.begin(organizationId);
    const work = this.settle(message);
    this.running.set(work, { organizationId, isPlatform });
    void work.finally(() => {
      end();
      this.running.delete(work);
      this.loop.wake();
    });
  }

  /** Never throws: a message without a stored outcome is taken over after its lease. */
  private async settle(message: OutboxMessage): Promise<void> {
    const renewal = setInterval(() => void this.renew(message), this.config.leaseMs / 3);
    try {
      await this.outcomes.record(message, await this.delivery.deliver(message));
    } catch (error) {
      this.logger.error(
        error,
        `Message ${message.id} has no stored outcome. It is taken over after its lease.`,
      );
    } finally {
      clearInterval(renewal);
    }
  }

  private async renew(message: OutboxMessage): Promise<void> {
    await this.store.renew(message, this.config.leaseMs).catch((error: unknown) => {
      this.logger.warn(error, `The lease of message ${message.id} could not be renewed.`);
    });
  }
}
