import { ApiProperty } from '@nestjs/swagger';
import type { SessionRow } from '../sessions.js';

export class SessionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Whether this request is made with it.' })
  current!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Where it was opened from.' })
  address!: string | null;

  @ApiProperty({ type: String, nullable: true })
  userAgent!: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', description: 'To the minute.' })
  lastUsedAt!: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt!: string;

  static of(row: SessionRow): SessionDto {
    return {
      id: row.id,
      current: row.current,
      address: row.address,
      userAgent: row.user_agent,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    };
  }
}

export class SessionsDto {
  @ApiProperty({ type: () => [SessionDto] })
  data!: SessionDto[];
}
