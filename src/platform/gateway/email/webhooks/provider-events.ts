import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { callLists, type Kind } from '../shared/addresses.js';
import { Suppressions } from '../suppressions/suppressions.js';
import { meaningOf, type ProviderEvent } from './provider-event.js';

interface StoredEvent {
  readonly id: string;
  /** Whose account signed it; null: that of the platform. */
  readonly organizationId: string | null;
  readonly event: ProviderEvent;
}

/** Of the history. */
const MAX_DETAIL = 500;

interface Concerned {
  readonly id: string;
  readonly organizationId: string;
  readonly isPlatform: boolean;
  readonly positions: readonly number[];
  readonly addresses: readonly string[];
  /** The recipients of the call, of all kinds, in their order. */
  readonly called: readonly { readonly position: number; readonly kind: Kind }[];
}

const STORE = statement(
  'gateway_store_email_webhook',
  `INSERT INTO gateway.email_webhook (id, type, provider_id, organization_id, event) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (id) DO NOTHING RETURNING id`,
);
const UNAPPLIED = statement(
  'gateway_unapplied_email_webhooks',
  `SELECT id, organization_id AS "organizationId", event FROM gateway.email_webhook
    WHERE provider_id = $1 AND applied_at IS NULL ORDER BY received_at FOR UPDATE`,
);
const APPLIED = statement(
  'gateway_applied_email_webhook',
  `UPDATE gateway.email_webhook SET applied_at = now() WHERE id = $1`,
);
/** A message of the account that signed the event. $1 provider's id, $2 organization of the account, null: platform */
const MESSAGE = statement(
  'gateway_message_and_call_of_email_webhook',
  `SELECT m.id, m.organization_id AS "organizationId", m.is_platform AS "isPlatform",
          array_agg(r.position ORDER BY r.position) AS positions,
          array_agg(lower(r.address) ORDER BY r.position) AS addresses,
          coalesce(json_agg(json_build_object('position', r.position, 'kind', r.kind) ORDER BY r.position)
            FILTER (WHERE r.attempt_id IS NOT NULL), '[]') AS called
     FROM gateway.email_message m JOIN gateway.email_recipient r ON r.message_id = m.id
    WHERE m.provider_id = $1 AND m.provider = 'resend'
      AND CASE WHEN $2::uuid IS NULL THEN m.is_platform ELSE m.organization_id = $2 AND NOT m.is_platform END
    GROUP BY m.id`,
);
/**
 * Events arrive in any order: a state is replaced only by one of a higher rank. Every event is in the history.
 * $1 message, $2 positions, $3 state, $4 code, $5 detail, $6 time
 */
const APPLY = statement(
  'gateway_apply_email_webhook',
  `WITH ranks (state, rank) AS (VALUES ('queued', 0), ('sending', 0), ('uncertain', 0), ('refused', 0), ('sent', 1),
     ('delivered', 2), ('suppressed', 3), ('bounced', 3), ('complained', 4)),
   changed AS (
     UPDATE gateway.email_recipient r SET state = $3, code = $4, detail = $5, updated_at = clock_timestamp()
      WHERE r.message_id = $1 AND r.position = ANY ($2::int[])
        AND (SELECT rank FROM ranks WHERE state = $3) > (SELECT rank FROM ranks WHERE ranks.state = r.state)
   )
   INSERT INTO gateway.email_event (message_id, position, at, state, code, detail, source)
   SELECT $1, position, coalesce($6::timestamptz, clock_timestamp()), $3, $4, $5, 'webhook'
     FROM unnest($2::int[]) AS position`,
);
/** An event that says not whose it is. $1 message, $2 state, $3 code, $4 detail, $5 time */
const NOTE = statement(
  'gateway_note_email_webhook',
  `INSERT INTO gateway.email_event (message_id, at, state, code, detail, source)
   VALUES ($1, coalesce($5::timestamptz, clock_timestamp()), $2, $3, $4, 'webhook')`,
);
/** Events that were stored while the id of their message was; of the account of the message, because others are never applied. */
const LATE = statement(
  'gateway_late_email_webhooks',
  `SELECT DISTINCT w.provider_id AS "providerId" FROM gateway.email_webhook w
     JOIN gateway.email_message m ON m.provider_id = w.provider_id AND m.provider = 'resend'
      AND CASE WHEN w.organization_id IS NULL THEN m.is_platform
               ELSE m.organization_id = w.organization_id AND NOT m.is_platform END
    WHERE w.applied_at IS NULL LIMIT 100`,
);

/** Events of the provider, each applied once, also when they come before the id of their message is known. */
@Injectable()
export class ProviderEvents {
  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
  ) {}

  /**
   * @param id unique for each event, also when it is sent again
   * @param organizationId whose account signed it; null: that of the platform
   */
  async receive(id: string, event: ProviderEvent, organizationId: string | null): Promise<void> {
    await this.database.transaction(async () => {
      const values = [id, event.type, event.providerId, organizationId, JSON.stringify(event)];
      const stored = await this.database.query(STORE, values);
      if (stored.length > 0) await this.applyStored(event.providerId);
    });
  }

  /** Applies events that came while the id of their message was being stored. */
  async applyLate(): Promise<void> {
    const found = await this.database.query<{ providerId: string }>(LATE);
    for (const { providerId } of found) await this.database.transaction(() => this.applyStored(providerId));
  }

  /** Applies events that came before. Joins the caller's transaction. */
  async applyStored(providerId: string): Promise<void> {
    const waiting = await this.database.query<StoredEvent>(UNAPPLIED, [providerId]);
    for (const { id, event, organizationId } of waiting)
      if (await this.apply(event, organizationId)) await this.database.query(APPLIED, [id]);
  }

  /** @returns false when the message is not known yet */
  private async apply(event: ProviderEvent, organizationId: string | null): Promise<boolean> {
    const [message] = await this.database.query<Concerned>(MESSAGE, [event.providerId, organizationId]);
    if (!message) return false;
    const meaning = meaningOf(event);
    const positions = concerned(message, event);
    if (!meaning || positions.length === 0) return true;
    const { state, code, detail, suppress } = meaning;
    if (state !== 'sent' && isAmbiguous(message, positions)) {
      const about = `About one or more of ${event.addresses.join(', ')}`.slice(0, MAX_DETAIL);
      const text = detail === null ? about : `${about}: ${detail}`.slice(0, MAX_DETAIL);
      await this.database.query(NOTE, [message.id, state, code, text, event.at]);
      return true;
    }
    await this.database.query(APPLY, [message.id, positions, state, code, detail, event.at]);
    for (const position of suppress === null ? [] : positions) {
      const address = message.addresses[message.positions.indexOf(position)] ?? '';
      if (suppress === 'bounce') await this.suppressions.bounced(message, address);
      else await this.suppressions.complained(message, address);
    }
    return true;
  }
}

/** The recipients of the message that the event names. */
const concerned = ({ addresses, positions }: Concerned, event: ProviderEvent): number[] =>
  positions.filter((_, index) => event.addresses.includes(addresses[index] ?? ''));

/**
 * An event has the list `to` of the call, also where it is about a recipient in cc or bcc. If it names all of that list and the call had
 * several recipients, nothing says whose bounce or complaint it is: to take it for all that it names would suppress addresses because
 * of the mailbox of another recipient.
 */
const isAmbiguous = ({ called }: Concerned, named: readonly number[]): boolean =>
  called.length > 1 && callLists(called).to.every(({ position }) => named.includes(position));
