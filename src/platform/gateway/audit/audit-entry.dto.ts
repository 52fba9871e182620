import { is, shape } from '#libs/http';

const ID = '01937c5e-2a6b-7c3d-9e4f-5a6b7c8d9e0f';

export class AuditActorDto extends shape({
  type: is.text({
    example: 'user',
    enum: ['user', 'service', 'api_key', 'application', 'operator', 'system'],
    description: '`operator`: a command on a machine of the service. `system`: the gateway itself.',
  }),
  id: is.of<string | null>({ example: ID, type: String, format: 'uuid', nullable: true }),
}) {}

export class AuditTargetDto extends shape({
  type: is.text({ example: 'credential' }),
  id: is.text({ example: ID }),
}) {}

export class AuditEntryDto extends shape({
  id: is.uuid({ example: ID }),
  at: is.date({ example: '2026-11-23T09:30:00.000Z' }),
  action: is.text({ example: 'credential_rotated' }),
  organizationId: is.of<string | null>({
    example: ID,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'null: a change of the platform.',
  }),
  actor: is.object(() => AuditActorDto),
  target: is.object(() => AuditTargetDto),
  requestId: is.of<string | null>({ example: '0193-request', type: String, nullable: true }),
  details: is.of<Record<string, unknown>>({
    example: { provider: 'openai' },
    type: 'object',
    additionalProperties: true,
    description: 'Names and settings; never secrets.',
  }),
}) {}
