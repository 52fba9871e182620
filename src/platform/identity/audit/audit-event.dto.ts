import { is, shape } from '#libs/http';
import { AT, ID } from '../dto/examples.js';

/** The columns of an `AuditEventDto`. */
export const AUDIT_EVENT = `id, at, action, result, request_id AS "requestId", address, details,
  json_build_object('type', actor_type, 'id', actor_id) AS actor,
  CASE WHEN target_type <> '' THEN json_build_object('type', target_type, 'id', target_id) END AS target`;

export class AuditPartyDto extends shape({
  type: is.text({ example: 'user' }),
  id: is.of<string | null>({ example: ID, type: String, format: 'uuid', nullable: true }),
}) {}

export class AuditEventDto extends shape({
  id: is.uuid({ example: ID }),
  at: is.date({ example: AT }),
  action: is.text({ example: 'api_key_created' }),
  result: is.text<'success' | 'failure'>({ example: 'success', enum: ['success', 'failure'] }),
  actor: is.object(() => AuditPartyDto),
  target: is.object(() => AuditPartyDto).orNull,
  requestId: is.of<string | null>({ example: ID, type: String, nullable: true }),
  address: is.of<string | null>({
    example: '192.0.2.1',
    type: String,
    nullable: true,
    description: 'IP address of the request.',
  }),
  details: is.of<Record<string, unknown>>({
    example: { role: 'member' },
    type: 'object',
    additionalProperties: true,
  }),
}) {}
