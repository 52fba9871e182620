import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import { OwnedObjects, type Owner } from '../stripe/owned-objects.js';
import { kindsOf, operationIdIn } from '../operations/kinds.js';
import type { PaymentCredential } from '../stripe/payment-credentials.js';
import type { ReceivedEvent } from './event.js';

const OWNER_COLUMNS = `application_id AS "applicationId", application, organization_id AS "organizationId"`;

/** The object itself first, then what it belongs to. */
const OWNER = statement(
  'gateway_owner_of_event_of_signers',
  `SELECT ${OWNER_COLUMNS} FROM gateway.payment_account_object
    WHERE credential_id = ANY ($1::uuid[]) AND id = ANY ($2::text[]) ORDER BY array_position($2::text[], id) LIMIT 1`,
);
/**
 * An event that is known already, also from another replica in this moment, is left as it is. It can be stored under another signer
 * than $2, before the set of signers changed. $13 all signers
 */
const INSERT = statement(
  'gateway_insert_payment_event_of_signers',
  `INSERT INTO gateway.payment_event
     (id, credential_id, event_id, type, occurred_at, object_type, object_id, refs, application_id, application,
      organization_id, state)
   SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::timestamptz, $6::text, $7::text, $8::text[], $9::uuid, $10::text, $11::uuid, $12::text
    WHERE NOT EXISTS (SELECT FROM gateway.payment_event WHERE event_id = $3::text AND credential_id = ANY ($13::uuid[]))
   ON CONFLICT (credential_id, event_id) DO NOTHING RETURNING id`,
);
/**
 * The provider's own evidence that an operation had its effect. Its result is read from the provider. Only of the account that signed
 * the event: an organization signs events of its own account. $1 operation, $2 signers, $3 object, $4 kinds that make such an object
 */
const SETTLE = statement(
  'gateway_settle_payment_operation_of_signers',
  `UPDATE gateway.payment_operation SET object_id = $3
    WHERE id = $1 AND credential_id = ANY ($2::uuid[]) AND kind = ANY ($4::text[]) AND object_id IS NULL
      AND state IN ('running', 'unknown', 'unresolved')`,
);
/**
 * Events of three days that arrived before it was known whose they are, by the objects that got an owner in the last $1 milliseconds.
 * The object itself first, then what it belongs to.
 */
const ADOPTABLE = `
  SELECT DISTINCT ON (unknown.id) unknown.id, unknown.refs, unknown.credential_id AS "credentialId",
         object.application_id AS "applicationId", object.application, object.organization_id AS "organizationId"
    FROM gateway.payment_account_object AS object
    JOIN gateway.payment_event AS unknown
      ON unknown.refs @> ARRAY[object.id] AND unknown.credential_id = object.credential_id
   WHERE object.created_at > now() - make_interval(secs => $1::float8 / 1000)
     AND unknown.state = 'unknown' AND unknown.received_at > now() - interval '3 days'
   ORDER BY unknown.id, array_position(unknown.refs, object.id)`;
const ADOPT = statement(
  'gateway_adopt_payment_event',
  `UPDATE gateway.payment_event SET state = 'waiting', due_at = clock_timestamp(), application_id = $2, application = $3,
          organization_id = $4
    WHERE id = $1 AND state = 'unknown' RETURNING id`,
);

interface Adoptable extends Owner {
  readonly id: string;
  readonly credentialId: string;
  readonly refs: readonly string[];
}

/** Longer than any transaction that stores an owner or an event. */
const RECENTLY_MS = 600_000;
/** Once for each process, as none may have run when an owner became known. */
const AT_START_MS = 3 * 86_400_000;

@Injectable()
export class EventsStore {
  private hasAdopted = false;

  constructor(
    private readonly database: Database,
    private readonly objects: OwnedObjects,
  ) {}

  /**
   * @param signers at least one, of one organization or of the platform. They have the signing secret of one endpoint, and so one
   * account. The event is stored under the oldest, which stays the same when others are added, disabled or enabled: the unique index
   * then refuses a second delivery.
   * @returns false for an event that is known already
   */
  async receive(event: ReceivedEvent, signers: readonly PaymentCredential[]): Promise<boolean> {
    const ids = signers.map((signer) => signer.id).sort();
    const [signer] = signers;
    if (!signer) throw new Error('The event has no signer.');
    return this.database.transaction(async (transaction) => {
      const owner = await this.ownerOf(transaction, event, ids, signer.organizationId);
      const { id, type, occurredAt, objectType, objectId, refs } = event;
      const rows = await transaction.query<{ id: string }>(INSERT, [
        randomUUIDv7(),
        ids[0],
        id,
        type,
        occurredAt,
        objectType,
        objectId,
        refs,
        owner?.applicationId,
        owner?.application,
        owner?.organizationId,
        owner ? 'waiting' : 'unknown',
        ids,
      ]);
      if (rows.length === 0) return false;
      if (owner) await this.objects.bind(transaction, ids, owner, refs);
      await this.noteEffect(transaction, event, ids);
      return true;
    });
  }

  /** @returns the number of events that are relayed now, because their owner became known within three days */
  async adopt(): Promise<number> {
    const recently = this.hasAdopted ? RECENTLY_MS : AT_START_MS;
    const found = await this.database.query<Adoptable>(ADOPTABLE, [recently]);
    let adopted = 0;
    for (const event of found) if (await this.adoptOne(event)) adopted += 1;
    this.hasAdopted = true;
    return adopted;
  }

  /** What the event names gets the owner, too: a later dispute names the payment, and not the customer. */
  private adoptOne(event: Adoptable): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { id, credentialId, refs, applicationId, application, organizationId } = event;
      const values = [id, applicationId, application, organizationId];
      if ((await transaction.query(ADOPT, values)).length === 0) return false;
      await this.objects.bind(transaction, [credentialId], event, refs);
      return true;
    });
  }

  /**
   * By the table, else by the metadata. In an account of an organization, metadata name no other owner: anyone with the account can
   * write them.
   */
  private async ownerOf(
    executor: Executor,
    { refs, owner }: ReceivedEvent,
    credentialIds: readonly string[],
    organizationId: string | null,
  ): Promise<Owner | null> {
    const [known] = await executor.query<Owner>(OWNER, [credentialIds, refs]);
    if (known) return known;
    return owner && (organizationId === null || organizationId === owner.organizationId) ? owner : null;
  }

  private async noteEffect(
    executor: Executor,
    { providerKey, objectType, objectId }: ReceivedEvent,
    credentialIds: readonly string[],
  ): Promise<void> {
    const operationId = operationIdIn(providerKey);
    if (operationId === null || objectId === null) return;
    await executor.query(SETTLE, [operationId, credentialIds, objectId, kindsOf(objectType)]);
  }
}
