import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { DueLoop } from '#libs/due-work';
import { OutboundHttp } from '#libs/outbound-http';
import { EventsStore } from '../webhooks/events.store.js';
import { signedHeaders } from './relay-signature.js';
import type { RelayTarget } from './relay-targets.js';
import { RelayTargets } from './relay-targets.js';
import type { DueEvent } from './relay.store.js';
import { RelayStore } from './relay.store.js';

/** Events of one application at once. */
const BATCH = 20;
const POLL_MS = 1_000;
const TIMEOUT_MS = 15_000;
const ADOPT_EVERY_MS = 5_000;

/**
 * Relays events to the applications that own their objects: at least once, with the event id, in no promised order. The receiver reads
 * the state of the object from the gateway. Any number of replicas share the outbox. Each application has a loop of its own, so that a
 * receiver that hangs delays no other.
 */
@Injectable()
export class RelayWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RelayWorker.name);
  private readonly loops: readonly DueLoop[];

  constructor(
    private readonly store: RelayStore,
    private readonly events: EventsStore,
    private readonly targets: RelayTargets,
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
  ) {
    const loop = (run: () => Promise<number>, pollMs: number) =>
      new DueLoop({
        run,
        pollMs,
        onError: (error) =>
          this.logger.error(error, 'Payment events could not be relayed. They are tried again.'),
      });
    this.loops = [
      loop(() => this.adopt(), ADOPT_EVERY_MS),
      ...targets.slugs.map((application) => loop(() => this.run(application), POLL_MS)),
    ];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** @returns milliseconds until it is worth running again */
  async run(application: string): Promise<number> {
    const due = await this.store.claim(application, BATCH);
    await Promise.all(due.map((event) => this.relay(event)));
    return due.length === BATCH ? 0 : this.store.nextInMs(application);
  }

  private async adopt(): Promise<number> {
    await this.events.adopt();
    return ADOPT_EVERY_MS;
  }

  private async relay(event: DueEvent): Promise<void> {
    const target = this.targets.of(event.application);
    if (!target) return;
    const response = await this.send(event, target);
    const outcome = response.kind === 'answered' ? String(response.status) : response.kind;
    if (response.kind === 'answered' && response.status >= 200 && response.status < 300)
      return this.store.delivered(event, outcome);
    const isDead = await this.store.postponed(event, outcome);
    const { eventId, application, attempts } = event;
    const fields = { eventId, application, attempts, outcome };
    if (isDead) this.logger.error(fields, 'A payment event could not be delivered and is given up.');
    else this.logger.warn(fields, 'A payment event was not accepted. It is sent again.');
  }

  private send(event: DueEvent, { url, secrets }: RelayTarget) {
    const body = JSON.stringify({
      id: event.eventId,
      type: event.type,
      occurredAt: event.occurredAt.toISOString(),
      object: { type: event.objectType, id: event.objectId },
      relatedIds: event.refs.filter((id) => id !== event.objectId),
      organizationId: event.organizationId,
      applicationId: event.applicationId,
    });
    const headers = signedHeaders(event.eventId, this.clock.now(), body, secrets);
    return this.http.send({ method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS });
  }
}
