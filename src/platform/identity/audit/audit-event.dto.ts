import { ApiProperty } from '@nestjs/swagger';
import { AT, ID } from '../dto/examples.js';

/** The columns of an `AuditEventDto`. */
export const AUDIT_EVENT = `id, at, action, result, request_id AS "requestId", address, details,
  json_build_object('type', actor_type, 'id', actor_id) AS actor,
  CASE WHEN target_type <> '' THEN json_build_object('type', target_type, 'id', target_id) END AS target`;

export class AuditPartyDto {
  @ApiProperty({ example: 'user' })
  type!: string;

  @ApiProperty({ example: ID, type: String, format: 'uuid', nullable: true })
  id!: string | null;
}

export class AuditEventDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: AT, format: 'date-time' })
  at!: Date;

  @ApiProperty({ example: 'api_key_created' })
  action!: string;

  @ApiProperty({ example: 'success', enum: ['success', 'failure'] })
  result!: 'success' | 'failure';

  @ApiProperty({ type: () => AuditPartyDto })
  actor!: AuditPartyDto;

  @ApiProperty({ type: () => AuditPartyDto, nullable: true })
  target!: AuditPartyDto | null;

  @ApiProperty({ example: ID, type: String, nullable: true })
  requestId!: string | null;

  @ApiProperty({
    example: '192.0.2.1',
    type: String,
    nullable: true,
    description: 'IP address of the request.',
  })
  address!: string | null;

  @ApiProperty({ example: { role: 'member' }, type: 'object', additionalProperties: true })
  details!: Record<string, unknown>;
}
