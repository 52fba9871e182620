import { ApiProperty } from '@nestjs/swagger';
import { FAILURE_CLASSES } from '#libs/content';
import type { Failure } from '../../../posts/index.js';

/** Why the post was not published and what to do. */
export class ContentFailureDto {
  @ApiProperty({ description: 'Stable machine name.', example: 'rate_limited' })
  code!: string;

  @ApiProperty({
    description:
      '`unconfirmed`: it may be live; look, then resolve. `missed`: it was found too late to go out.',
    enum: FAILURE_CLASSES,
    example: 'transient',
  })
  class!: string;

  @ApiProperty({ description: 'What the network calls it.', type: 'string', nullable: true, example: '429' })
  networkCode!: string | null;

  @ApiProperty({ example: 'The network asked us to slow down.' })
  message!: string;

  @ApiProperty({ example: 'Retry it in a few minutes.' })
  nextStep!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:30:02.114Z' })
  failedAt!: string;

  @ApiProperty({ description: 'The attempt that failed, if it began.', type: 'string', nullable: true })
  attemptId!: string | null;

  static of(failure: Failure): ContentFailureDto {
    const { code, class: kind, networkCode, message, nextStep, failedAt, attemptId } = failure;
    return { code, class: kind, networkCode, message, nextStep, failedAt, attemptId };
  }
}
