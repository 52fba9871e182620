import { ApiProperty } from '@nestjs/swagger';

const CHECK = {
  type: 'object' as const,
  required: ['status'],
  properties: {
    status: { type: 'string' as const, enum: ['up', 'degraded', 'down'] },
    latencyMs: { type: 'number' as const },
    message: { type: 'string' as const },
  },
};

/** The status of a service. */
export class HealthDto {
  @ApiProperty({ enum: ['ok', 'degraded', 'error', 'shutting_down'], example: 'ok' })
  status!: string;

  @ApiProperty({ description: 'Name of the service.', example: 'api' })
  service!: string;

  @ApiProperty({ description: 'Version of its interface.', example: '1.0.0' })
  version!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T10:00:00.000Z' })
  timestamp!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds since the process started.', example: 3600 })
  uptimeSeconds!: number;

  @ApiProperty({
    description: 'Checks that are up or degraded, by name.',
    type: 'object',
    additionalProperties: CHECK,
  })
  info!: Record<string, unknown>;

  @ApiProperty({ description: 'Checks that are down, by name.', type: 'object', additionalProperties: CHECK })
  error!: Record<string, unknown>;

  @ApiProperty({ description: 'All checks, by name.', type: 'object', additionalProperties: CHECK })
  details!: Record<string, unknown>;
}
