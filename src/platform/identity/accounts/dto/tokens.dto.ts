import { ApiProperty } from '@nestjs/swagger';
import type { Tokens } from '../sessions/sessions.js';
import { AT } from '../../dto/examples.js';

/** Shown once; identity stores only hashes. */
export class TokensDto {
  @ApiProperty({ example: 'Bearer', enum: ['Bearer'] })
  tokenType!: 'Bearer';

  @ApiProperty({ example: 'copa_Jk3…', description: 'Send as `Authorization: Bearer …`.' })
  accessToken!: string;

  @ApiProperty({ example: AT, format: 'date-time' })
  expiresAt!: string;

  @ApiProperty({ example: 'copr_9fQ…', description: 'Works once, at /api/auth/refresh.' })
  refreshToken!: string;

  @ApiProperty({ example: AT, format: 'date-time' })
  refreshExpiresAt!: string;

  static of(tokens: Tokens): TokensDto {
    return {
      tokenType: 'Bearer',
      accessToken: tokens.accessToken,
      expiresAt: tokens.accessExpiresAt.toISOString(),
      refreshToken: tokens.refreshToken,
      refreshExpiresAt: tokens.refreshExpiresAt.toISOString(),
    };
  }
}
