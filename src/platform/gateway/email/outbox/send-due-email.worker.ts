import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { type ClaimRequest, ClaimingWorker } from '#libs/due-work';
import { EmailConfig } from '../email.config.js';
import { capacityFor } from './capacity.js';
import { DeliverMessage } from './deliver-message.js';
import type { OutboxMessage } from './delivery.types.js';
import { Outcomes } from './outcomes.js';
import { OutboxStore } from './outbox.store.js';

/** Longest wait for messages that are being sent at shutdown. */
const SHUTDOWN_MS = 20_000;

/**
 * Sends due messages. Every replica of the gateway runs it. The content is written only after that was stored under the fencing token of
 * the claim. At shutdown, sessions that take too long are ended: a message whose content was written is uncertain, others wait.
 */
@Injectable()
export class SendDueEmail extends ClaimingWorker<OutboxMessage> {
  constructor(
    store: OutboxStore,
    private readonly delivery: DeliverMessage,
    private readonly outcomes: Outcomes,
    { concurrency: size, leaseMs, pollMs }: EmailConfig,
    clock: Clock,
  ) {
    const claim = ({ running, used }: ClaimRequest<OutboxMessage>) =>
      store.claim(capacityFor(running, size), leaseMs, used);
    const renew = (message: OutboxMessage) => store.renew(message, leaseMs);
    const monotonic = (): number => clock.monotonic();
    super([{ size, claim }], { leaseMs, renew, pollMs, graceMs: SHUTDOWN_MS, monotonic });
    this.stopping.signal.addEventListener('abort', () => delivery.abort());
  }

  protected settle(message: OutboxMessage): Promise<void> {
    return this.whileClaimed(message, async () =>
      this.outcomes.record(message, await this.delivery.deliver(message)),
    );
  }
}
