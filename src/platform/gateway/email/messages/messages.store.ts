import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { MessageNotFound } from '../email.errors.js';
import type { EmailCaller } from '../shared/email-callers.js';
import type { EmailProvider, RecipientState } from '../email.types.js';

export interface RecipientRow {
  readonly position: number;
  readonly kind: 'to' | 'cc' | 'bcc';
  readonly name: string | null;
  readonly address: string;
  readonly state: RecipientState;
  readonly code: string | null;
  readonly detail: string | null;
  readonly updated_at: string;
}

export interface EventRow {
  readonly at: string;
  readonly position: number | null;
  readonly state: RecipientState;
  readonly code: string | null;
  readonly detail: string | null;
  readonly source: 'outbox' | 'webhook' | 'resolution';
}

export interface MessageRow {
  readonly id: string;
  readonly application_id: string;
  readonly user_id: string | null;
  readonly provider: EmailProvider;
  readonly is_platform: boolean;
  readonly from_name: string;
  readonly from_address: string;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly template: string | null;
  readonly message_id: string;
  readonly created_at: Date;
  readonly attempts: number;
  readonly due_at: Date | null;
  readonly is_claimed: boolean;
  readonly body_deleted_at: Date | null;
  readonly recipients: readonly RecipientRow[];
}

const SELECT = `SELECT m.id, m.application_id, m.user_id, m.provider, m.is_platform, m.from_name, m.from_address, m.reply_to,
  m.subject, m.template, m.message_id, m.created_at, m.attempts, m.due_at, m.attempt_id IS NOT NULL AS is_claimed,
  m.body_deleted_at, (
    SELECT jsonb_agg(to_jsonb(r) - 'message_id' - 'attempt_id' ORDER BY r.position)
      FROM gateway.email_recipient r WHERE r.message_id = m.id) AS recipients
  FROM gateway.email_message m`;
/** $1 organization, $2 application or null */
const VISIBLE = 'm.organization_id = $1 AND ($2::uuid IS NULL OR m.application_id = $2)';
const FIND = statement('gateway_find_email', `${SELECT} WHERE ${VISIBLE} AND m.id = $3`);
/** $3 after, $4 count, $5 states or null, $6 address in lower case or null */
const LIST = statement(
  'gateway_list_email',
  `${SELECT} WHERE ${VISIBLE} AND ($3::uuid IS NULL OR m.id < $3)
     AND (($5::text[] IS NULL AND $6::text IS NULL) OR EXISTS (
       SELECT 1 FROM gateway.email_recipient r WHERE r.message_id = m.id
          AND ($5::text[] IS NULL OR r.state = ANY ($5)) AND ($6::text IS NULL OR lower(r.address) = $6)))
   ORDER BY m.id DESC LIMIT $4`,
);
const EVENTS = statement(
  'gateway_email_events',
  `SELECT at, position, state, code, detail, source FROM gateway.email_event WHERE message_id = $1 ORDER BY id LIMIT 1000`,
);
/** $1 message, $2 positions or null, $3 delivered. Only what is uncertain is resolved, so that two answers do not contradict. */
const RESOLVE = statement(
  'gateway_resolve_email',
  `WITH message AS (SELECT id FROM gateway.email_message WHERE id = $1 FOR UPDATE),
   resolved AS (
     UPDATE gateway.email_recipient r
        SET state = CASE WHEN $3::boolean THEN 'sent' ELSE 'queued' END, code = NULL, detail = NULL, attempt_id = NULL,
            updated_at = clock_timestamp()
       FROM message WHERE r.message_id = message.id AND r.state = 'uncertain'
        AND ($2::int[] IS NULL OR r.position = ANY ($2))
      RETURNING r.position, r.state
   ), due AS (
     UPDATE gateway.email_message m SET due_at = coalesce(m.due_at, clock_timestamp())
      WHERE m.id = $1 AND NOT $3::boolean AND EXISTS (SELECT 1 FROM resolved)
   )
   INSERT INTO gateway.email_event (message_id, position, state, source)
   SELECT $1, position, state, 'resolution' FROM resolved RETURNING position`,
);

export interface MessageFilter {
  readonly states?: readonly string[];
  readonly address?: string;
}

/** Messages as their senders see them. */
@Injectable()
export class MessagesStore {
  constructor(private readonly database: Database) {}

  /** @throws MessageNotFound */
  async find({ organizationId, applicationId }: Omit<EmailCaller, 'actor'>, id: string): Promise<MessageRow> {
    const [row] = await this.database.query<MessageRow>(FIND, [organizationId, applicationId, id]);
    if (!row) throw new MessageNotFound();
    return row;
  }

  /** Newest first. */
  list(
    { organizationId, applicationId }: EmailCaller,
    { states = [], address }: MessageFilter,
    after: string | null,
    count: number,
  ): Promise<MessageRow[]> {
    const ofStates = states.length === 0 ? null : states;
    const ofAddress = address?.toLowerCase() ?? null;
    const values = [organizationId, applicationId, after, count, ofStates, ofAddress];
    return this.database.query<MessageRow>(LIST, values);
  }

  /** Oldest first, at most 1000. */
  history(id: string): Promise<(Omit<EventRow, 'at'> & { at: Date })[]> {
    return this.database.query(EVENTS, [id]);
  }

  /** @returns the positions that were uncertain. Joins the caller's transaction. */
  async resolve(id: string, positions: readonly number[] | null, delivered: boolean): Promise<number[]> {
    const rows = await this.database.query<{ position: number }>(RESOLVE, [id, positions, delivered]);
    return rows.map(({ position }) => position);
  }
}
