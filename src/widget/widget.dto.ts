import { ApiProperty } from '@nestjs/swagger';
import { MAX_TOTAL } from '#libs/http';
import type { WorkspaceSummary } from '../content-ops/index.js';

const count = (description: string) => ({ description, type: 'integer', minimum: 0, example: 0 }) as const;
/** `MAX_TOTAL` stands for as many or more. */
const UP_TO = `Up to ${MAX_TOTAL} are counted: ${MAX_TOTAL} stands for as many or more.`;
const countOrNull = (description: string, scope: string) =>
  ({
    ...count(
      `${description} Counts the brands in which the caller has \`${scope}\`; null if there are none.`,
    ),
    nullable: true,
  }) as const;

class WidgetStatsDto {
  @ApiProperty(countOrNull(`Pending suggestions. ${UP_TO}`, 'posts.read'))
  pendingApprovals!: number | null;

  @ApiProperty(countOrNull(`Approved suggestions without a time. ${UP_TO}`, 'posts.read'))
  needsTime!: number | null;

  @ApiProperty(countOrNull(`Posts due within 24 hours, including overdue posts. ${UP_TO}`, 'posts.read'))
  scheduledNext24Hours!: number | null;

  @ApiProperty(countOrNull(`Failed posts. ${UP_TO}`, 'posts.read'))
  failed!: number | null;

  @ApiProperty(countOrNull('Posts published today, in the time zone of each brand.', 'analytics.read'))
  publishedToday!: number | null;
}

class WidgetPostDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  contentId!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' })
  brandId!: string;

  @ApiProperty({ example: 'x' })
  platform!: string;

  @ApiProperty({ description: 'The first 140 characters of the text.', example: 'We are open on Sunday.' })
  excerpt!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-12-01T09:00:00.000Z' })
  scheduledAt!: string | null;

  @ApiProperty({
    description: 'Address of the post; absolute if the address of this service is configured.',
    format: 'uri-reference',
  })
  href!: string;
}

class WidgetActionDto {
  @ApiProperty({
    enum: ['review-approvals', 'settle-failures', 'give-times', 'open-calendar'],
    example: 'review-approvals',
  })
  id!: string;

  @ApiProperty({ example: 'Review 3 suggestions' })
  label!: string;

  @ApiProperty(count(`Number of posts. ${UP_TO}`))
  count!: number;

  @ApiProperty({ description: 'Address of this part of the queue.', format: 'uri-reference' })
  href!: string;
}

/** The live workspace of this service. */
export class WidgetDto {
  @ApiProperty({
    description: 'UTC, milliseconds.',
    format: 'date-time',
    example: '2026-11-21T09:30:00.000Z',
  })
  generatedAt!: string;

  @ApiProperty(count('Number of brands.'))
  brands!: number;

  @ApiProperty({ type: () => WidgetStatsDto })
  stats!: WidgetStatsDto;

  @ApiProperty({ description: 'The next scheduled posts, at most five.', type: () => [WidgetPostDto] })
  nextPosts!: WidgetPostDto[];

  @ApiProperty({ description: 'Open actions, most urgent first.', type: () => [WidgetActionDto] })
  actions!: WidgetActionDto[];

  /** @param base public address of this service without trailing slash, never taken from a request */
  static of(summary: WorkspaceSummary, generatedAt: Date, base: string): WidgetDto {
    const { brands, pendingApprovals, needsTime, scheduledNext24Hours, failed, publishedToday } = summary;
    return {
      generatedAt: generatedAt.toISOString(),
      brands,
      stats: { pendingApprovals, needsTime, scheduledNext24Hours, failed, publishedToday },
      nextPosts: summary.next.map(({ id, brandId, platform, text, scheduledAt }) => ({
        contentId: id,
        brandId,
        platform,
        excerpt: excerptOf(text),
        scheduledAt,
        href: `${base}/api/content-ops/items/${id}`,
      })),
      actions: actionsOf(summary, base),
    };
  }
}

const EXCERPT = 140;

/** Counts code points, so that no surrogate pair is cut. */
function excerptOf(text: string): string {
  const characters = [...text.slice(0, 2 * EXCERPT + 1)];
  return characters.length > EXCERPT ? `${characters.slice(0, EXCERPT - 1).join('')}…` : text;
}

function actionsOf(summary: WorkspaceSummary, base: string): WidgetActionDto[] {
  const queue = `${base}/api/content-ops/queue?state=`;
  const [failed, pendingApprovals] = [summary.failed ?? 0, summary.pendingApprovals ?? 0];
  const [needsTime, scheduledNext24Hours] = [summary.needsTime ?? 0, summary.scheduledNext24Hours ?? 0];
  return [
    {
      id: 'settle-failures',
      label: `Look at ${some(failed, 'failure')}`,
      count: failed,
      href: `${queue}failed`,
    },
    {
      id: 'review-approvals',
      label: `Review ${some(pendingApprovals, 'suggestion')}`,
      count: pendingApprovals,
      href: `${queue}pending`,
    },
    {
      id: 'give-times',
      label: `Give ${some(needsTime, 'post')} a time`,
      count: needsTime,
      href: `${queue}needs_time`,
    },
    {
      id: 'open-calendar',
      label: `See ${some(scheduledNext24Hours, 'post')} of the next 24 hours`,
      count: scheduledNext24Hours,
      href: `${queue}scheduled`,
    },
  ].filter(({ count: waiting }) => waiting > 0);
}

const some = (count: number, thing: string): string =>
  `${count}${count === MAX_TOTAL ? '+' : ''} ${thing}${count === 1 ? '' : 's'}`;
