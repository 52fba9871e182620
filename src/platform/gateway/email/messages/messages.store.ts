import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { GatewayAudit } from '../../audit/gateway-audit.js';
import { BodyIsDeleted, MessageNotFound, NothingIsUncertain } from '../email.errors.js';
import { SendDueEmail } from '../outbox/send-due-email.worker.js';
import { mailboxOf } from '../shared/addresses.js';
import type { EmailCaller } from '../shared/email-callers.js';
import type { EmailDto, EmailEventDto, ResolveEmailDto } from './dto/message.dto.js';

const SELECT = `SELECT m.id, m.application_id AS "applicationId", m.user_id AS "userId", m.from_address AS "from", m.subject, m.template,
  m.message_id AS "messageId", m.provider, CASE WHEN m.is_platform THEN 'platform' ELSE 'own' END AS credential, m.attempts,
  CASE WHEN m.attempt_id IS NULL THEN m.due_at END AS "nextAttemptAt", (
    SELECT json_agg(json_build_object('kind', r.kind, 'name', r.name, 'address', r.address, 'state', r.state, 'code', r.code,
             'detail', r.detail, 'updatedAt', to_char(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
             ORDER BY r.position)
      FROM gateway.email_recipient r WHERE r.message_id = m.id) AS recipients,
  m.created_at AS "createdAt", m.body_deleted_at AS "bodyDeletedAt"
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
  `SELECT e.at, r.address, e.state, e.code, e.detail, e.source
     FROM gateway.email_event e LEFT JOIN gateway.email_recipient r ON r.message_id = e.message_id AND r.position = e.position
    WHERE e.message_id = $1 ORDER BY e.id LIMIT 1000`,
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
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
    private readonly worker: SendDueEmail,
  ) {}

  async find({ organizationId, applicationId }: Omit<EmailCaller, 'actor'>, id: string): Promise<EmailDto> {
    const [row] = await this.database.query<EmailDto>(FIND, [organizationId, applicationId, id]);
    if (!row) throw new MessageNotFound();
    return row;
  }

  list(
    { organizationId, applicationId }: EmailCaller,
    { states = [], address }: MessageFilter,
    after: string | null,
    count: number,
  ): Promise<EmailDto[]> {
    const ofStates = states.length === 0 ? null : states;
    const ofAddress = address?.toLowerCase() ?? null;
    const values = [organizationId, applicationId, after, count, ofStates, ofAddress];
    return this.database.query<EmailDto>(LIST, values);
  }

  /** Oldest first, at most 1000. */
  history(id: string): Promise<EmailEventDto[]> {
    return this.database.query<EmailEventDto>(EVENTS, [id]);
  }

  /** A service or a person says what became of recipients that are uncertain. */
  resolve(caller: EmailCaller, id: string, { delivered, recipients }: ResolveEmailDto): Promise<EmailDto> {
    return this.database.transaction(async (transaction) => {
      const message = await this.find(caller, id);
      if (!delivered && message.bodyDeletedAt !== null) throw new BodyIsDeleted();
      const positions = recipients === undefined ? null : positionsOf(message, recipients);
      const resolved = await transaction.query(RESOLVE, [id, positions, delivered]);
      if (resolved.length === 0) throw new NothingIsUncertain();
      await this.audit.record(transaction, {
        action: 'email_resolved',
        actor: caller.actor,
        organizationId: caller.organizationId,
        target: { type: 'email', id },
        details: { delivered, recipients: resolved.length },
      });
      transaction.afterCommit(() => this.worker.wake());
      return this.find(caller, id);
    });
  }
}

/** A position is the index of the recipient. */
function positionsOf({ recipients }: EmailDto, addresses: readonly string[]): number[] {
  const named = new Set(addresses.map(mailboxOf));
  return recipients.flatMap(({ address }, position) => (named.has(mailboxOf(address)) ? [position] : []));
}
