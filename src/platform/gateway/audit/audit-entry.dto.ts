import { ApiProperty } from '@nestjs/swagger';

const ID = '01937c5e-2a6b-7c3d-9e4f-5a6b7c8d9e0f';

export class AuditActorDto {
  @ApiProperty({
    example: 'user',
    enum: ['user', 'service', 'api_key', 'application', 'operator', 'system'],
    description: '`operator`: a command on a machine of the service. `system`: the gateway itself.',
  })
  type!: string;

  @ApiProperty({ example: ID, type: String, format: 'uuid', nullable: true })
  id!: string | null;
}

export class AuditTargetDto {
  @ApiProperty({ example: 'credential' })
  type!: string;

  @ApiProperty({ example: ID })
  id!: string;
}

export class AuditEntryDto {
  @ApiProperty({ example: ID, format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '2026-11-23T09:30:00.000Z', format: 'date-time' })
  at!: Date;

  @ApiProperty({ example: 'credential_rotated' })
  action!: string;

  @ApiProperty({
    example: ID,
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'null: a change of the platform.',
  })
  organizationId!: string | null;

  @ApiProperty({ type: () => AuditActorDto })
  actor!: AuditActorDto;

  @ApiProperty({ type: () => AuditTargetDto })
  target!: AuditTargetDto;

  @ApiProperty({ example: '0193-request', type: String, nullable: true })
  requestId!: string | null;

  @ApiProperty({
    example: { provider: 'openai' },
    type: 'object',
    additionalProperties: true,
    description: 'Names and settings; never secrets.',
  })
  details!: Record<string, unknown>;
}
