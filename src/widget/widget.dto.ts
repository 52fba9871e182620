import { is, MAX_TOTAL, shape } from '#libs/http';
import type { WorkspaceSummary } from '../content-ops/index.js';

const count = (description: string) => is.integer({ description, minimum: 0, example: 0 });
/** `MAX_TOTAL` stands for as many or more. */
const UP_TO = `Up to ${MAX_TOTAL} are counted: ${MAX_TOTAL} stands for as many or more.`;
const countOrNull = (description: string, scope: string) =>
  count(`${description} Counts the brands in which the caller has \`${scope}\`; null if there are none.`)
    .orNull;

class WidgetStatsDto extends shape({
  pendingApprovals: countOrNull(`Pending suggestions. ${UP_TO}`, 'posts.read'),
  needsTime: countOrNull(`Approved suggestions without a time. ${UP_TO}`, 'posts.read'),
  scheduledNext24Hours: countOrNull(
    `Posts due within 24 hours, including overdue posts. ${UP_TO}`,
    'posts.read',
  ),
  failed: countOrNull(`Failed posts. ${UP_TO}`, 'posts.read'),
  publishedToday: countOrNull('Posts published today, in the time zone of each brand.', 'analytics.read'),
}) {}

class WidgetPostDto extends shape({
  contentId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  brandId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' }),
  platform: is.text({ example: 'x' }),
  excerpt: is.text({
    description: 'The first 140 characters of the text.',
    example: 'We are open on Sunday.',
  }),
  scheduledAt: is.instant({ example: '2026-12-01T09:00:00.000Z' }).orNull,
  href: is.text({
    description: 'Address of the post; absolute if the address of this service is configured.',
    format: 'uri-reference',
  }),
}) {}

class WidgetActionDto extends shape({
  id: is.text({
    enum: ['review-approvals', 'settle-failures', 'give-times', 'open-calendar'],
    example: 'review-approvals',
  }),
  label: is.text({ example: 'Review 3 suggestions' }),
  count: count(`Number of posts. ${UP_TO}`),
  href: is.text({ description: 'Address of this part of the queue.', format: 'uri-reference' }),
}) {}

export class WidgetDto extends shape({
  generatedAt: is.instant({ description: 'UTC, milliseconds.', example: '2026-11-21T09:30:00.000Z' }),
  brands: count('Number of brands.'),
  stats: is.object(() => WidgetStatsDto),
  nextPosts: is.list(() => WidgetPostDto, { description: 'The next scheduled posts, at most five.' }),
  actions: is.list(() => WidgetActionDto, { description: 'Open actions, most urgent first.' }),
}) {
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
  const actions: readonly (readonly [id: string, label: string, count: number, state: string])[] = [
    ['settle-failures', `Look at ${some(failed, 'failure')}`, failed, 'failed'],
    ['review-approvals', `Review ${some(pendingApprovals, 'suggestion')}`, pendingApprovals, 'pending'],
    ['give-times', `Give ${some(needsTime, 'post')} a time`, needsTime, 'needs_time'],
    [
      'open-calendar',
      `See ${some(scheduledNext24Hours, 'post')} of the next 24 hours`,
      scheduledNext24Hours,
      'scheduled',
    ],
  ];
  return actions
    .filter(([, , waiting]) => waiting > 0)
    .map(([id, label, waiting, state]) => ({ id, label, count: waiting, href: `${queue}${state}` }));
}

const some = (count: number, thing: string): string =>
  `${count}${count === MAX_TOTAL ? '+' : ''} ${thing}${count === 1 ? '' : 's'}`;
