import { ApiProperty } from '@nestjs/swagger';
import { AT, ID } from '../dto/examples.js';

export interface AuditEventRow {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly result: 'success' | 'failure';
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly target_type: string | null;
  readonly target_id: string | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly details: Record<string, unknown>;
}

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
  at!: string;

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

  static of(row: AuditEventRow): AuditEventDto {
    const { id, action, result, address, details } = row;
    return {
      id,
      at: row.at.toISOString(),
      action,
      result,
      address,
      details,
      requestId: row.request_id,
      actor: { type: row.actor_type, id: row.actor_id },
      target: row.target_type ? { type: row.target_type, id: row.target_id } : null,
    };
  }
}
