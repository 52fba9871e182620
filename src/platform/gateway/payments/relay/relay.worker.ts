import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '#libs/clock';
import { UsedTime } from '#libs/concurrency';
import { DueLoop } from '#libs/due-work';
import { OutboundHttp } from '#libs/outbound-http';
import { EventsStore } from '../webhooks/events.store.js';
import { type RelayTarget, RelayTargets, signedHeaders } from './relay-targets.js';
import { type DueEvent, RelayStore } from './relay.store.js';

/** Events of one application at once. */
const PLACES = 20;
/** So that an organization whose events take long leaves places to others. */
const PLACES_OF_ONE = 10;
const POLL_MS = 1_000;
const TIMEOUT_MS = 15_000;
const ADOPT_EVERY_MS = 5_000;

interface Lane {
  readonly loop: DueLoop;
  readonly used: UsedTime;
  /** With the organization of each event that is sent now. */
  readonly running: Map<Promise<void>, string>;
}

/**
 * Relays events to the applications that own their objects: at least once, with the event id, in no promised order. The receiver reads
 * the state of the object from the gateway. Any number of replicas share the outbox. Each application has a lane of its own, so that a
 * receiver that hangs delays no other; in a lane, organizations take turns by the time that they used.
 */
@Injectable()
export class RelayWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RelayWorker.name);
  private readonly adopting: DueLoop;
  private readonly lanes: ReadonlyMap<string, Lane>;

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
    this.adopting = loop(() => this.adopt(), ADOPT_EVERY_MS);
    this.lanes = new Map(
      targets.slugs.map((application) => [
        application,
        {
          loop: loop(() => this.run(application), POLL_MS),
          used: new UsedTime(() => clock.monotonic()),
          running: new Map<Promise<void>, string>(),
        },
      ]),
    );
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    await this.settled();
  }

  /** Events that are being sent have an outcome. */
  async settled(): Promise<void> {
    await Promise.all([...this.lanes.values()].flatMap(({ running }) => [...running.keys()]));
  }

  /** @returns milliseconds until it is worth running again */
  async run(application: string): Promise<number> {
    const lane = this.lanes.get(application);
    const limit = PLACES - (lane?.running.size ?? PLACES);
    if (!lane || limit === 0) return Infinity;
    const busy = [...lane.running.values()];
    const used = lane.used.leastFirst();
    const due = await this.store.claim(application, { limit, busy, used, ofOne: PLACES_OF_ONE });
    for (const event of due) this.track(event, lane);
    if (due.length > 0) return 0;
    const next = await this.store.nextInMs(application);
    // Events that are due wait for a place of their organization.
    return next > 0 ? next : Infinity;
  }

  private get loops(): readonly DueLoop[] {
    return [this.adopting, ...[...this.lanes.values()].map(({ loop }) => loop)];
  }

  private track(event: DueEvent, { loop, used, running }: Lane): void {
    const { end } = used.begin(event.organizationId);
    const work = this.relay(event).catch((error: unknown) =>
      this.logger.error(error, 'A payment event has no stored outcome. It is sent again after its lease.'),
    );
    running.set(work, event.organizationId);
    void work.finally(() => {
      end();
      running.delete(work);
      loop.wake();
    });
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
