import { ApiProperty } from '@nestjs/swagger';
import type { PostDetails } from '../../../posts/index.js';

const instant = (description: string) =>
  ({ description, type: 'string', format: 'date-time', nullable: true, example: null }) as const;

/** Past and planned times; UTC, milliseconds; null if not applicable. */
export class TimestampsDto {
  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' })
  updatedAt!: string;

  @ApiProperty(instant('The time that the author proposed; an approval decides whether it applies.'))
  proposedAt!: string | null;

  @ApiProperty(instant('When it goes out, or was to.'))
  scheduledAt!: string | null;

  @ApiProperty(
    instant(
      'It is due, but waits until then at the latest: for limits of the network, its files, or a network that does not answer.',
    ),
  )
  heldUntil!: string | null;

  @ApiProperty(instant('When it was approved or rejected.'))
  decidedAt!: string | null;

  @ApiProperty(instant('When it went live.'))
  publishedAt!: string | null;

  @ApiProperty(instant('When the last attempt failed.'))
  failedAt!: string | null;

  static of(post: PostDetails): TimestampsDto {
    return {
      createdAt: post.createdAt,
      updatedAt: post.updatedAt,
      proposedAt: post.proposedTime,
      scheduledAt: post.scheduledAt,
      heldUntil: post.heldUntil,
      decidedAt: post.approval.decidedAt,
      publishedAt: post.publishedAt,
      failedAt: post.failure?.failedAt ?? null,
    };
  }
}
