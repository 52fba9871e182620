import { ApiProperty } from '@nestjs/swagger';
import type { Retrying } from '../../domain/retrying.js';

/** Automatic retries of a post after failures that had no effect on the network. */
export class RetryingDto {
  @ApiProperty({
    description:
      'Of the first failure. After a budget from then on, 30 minutes by default, the post fails. What an operator has to repair has no budget: the post waits, and is sent after the repair.',
    format: 'date-time',
    example: '2026-11-21T09:30:02.114Z',
  })
  since!: string;

  @ApiProperty({ description: 'Attempts that failed so.', type: 'integer', example: 2 })
  failures!: number;

  @ApiProperty({
    description: 'The last failure; stable machine name.',
    example: 'network_unreachable',
  })
  code!: string;

  @ApiProperty({ description: 'What the network or the system calls it.', type: 'string', nullable: true })
  networkCode!: string | null;

  @ApiProperty({ example: 'X could not be reached; nothing was sent.' })
  message!: string;

  @ApiProperty({
    description: 'What has to be done, and by whom.',
    example: 'An operator has to set LINKEDIN_VERSION to a current version; the post is then sent.',
  })
  nextStep!: string;

  static of(retrying: Retrying | null): RetryingDto | null {
    if (!retrying) return null;
    const { since, failures, failure } = retrying;
    const { code, networkCode, message, nextStep } = failure;
    return { since, failures, code, networkCode, message, nextStep };
  }
}
