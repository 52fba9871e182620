import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { ClaimingWorker, type Lane } from '#libs/due-work';
import { OutboundHttp } from '#libs/outbound-http';
import { type RelayTarget, RelayTargets, signedHeaders } from './relay-targets.js';
import { type DueEvent, RelayStore } from './relay.store.js';

/** Events of one application at once. */
const PLACES = 20;
/** So that an organization whose events take long leaves places to others. */
const PLACES_OF_ONE = 10;
const POLL_MS = 1_000;
const TIMEOUT_MS = 15_000;

/**
 * Relays events to the applications that own their objects: at least once, with the event id, in no promised order. The receiver reads
 * the state of the object from the gateway. Any number of replicas share the outbox. Each application has a lane of its own, so that a
 * receiver that hangs delays no other. The lease of an event outlives its delivery.
 */
@Injectable()
export class RelayWorker extends ClaimingWorker<DueEvent> {
  constructor(
    private readonly store: RelayStore,
    private readonly targets: RelayTargets,
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
  ) {
    const lanes = targets.slugs.map((application): Lane<DueEvent> => ({
      size: PLACES,
      claim: ({ limit, used, running }) => {
        const busy = running.map(({ organizationId }) => organizationId);
        return store.claim(application, { limit, busy, used, ofOne: PLACES_OF_ONE });
      },
      nextInMs: () => store.nextInMs(application),
    }));
    super(lanes, { pollMs: POLL_MS, monotonic: () => clock.monotonic() });
  }

  protected async settle(event: DueEvent): Promise<void> {
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
