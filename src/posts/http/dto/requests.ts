import { namedBrand } from '#libs/auth';
import type { FieldError } from '#libs/errors';
import { instantOf, RequestIsNotValid } from '#libs/http';
import type { PostToCreate } from '../../commands/create-post.js';
import type { PostOfBatch, PostsToCreate } from '../../commands/create-posts.js';
import type { PostUpdate } from '../../commands/update-post.js';
import type { ScheduleIntent } from '../../domain/update.js';
import { NO_CONTENT, withChanges } from '../../domain/writing.js';
import type { ContentToReport } from '../../queries/check-contents.js';
import type { BatchEntryDto, CreatePostsDto, SharedContentDto } from './batch.dto.js';
import { changesIn, contentIn } from './content.dto.js';
import type { CreatePostDto, UpdatePostDto } from './write-post.dto.js';
import type { PreflightDto } from './preflight.dto.js';

export const newPostsIn = (body: CreatePostsDto): Pick<PostsToCreate, 'posts' | 'isSuggestion'> => ({
  posts: entriesIn(body, body.posts),
  isSuggestion: body.origin === 'suggestion',
});

/** Each entry with the fields of the batch that it does not have of its own. Options are merged one by one. */
function entriesIn(shared: SharedContentDto, entries: readonly BatchEntryDto[]): PostOfBatch[] {
  const content = withChanges(NO_CONTENT, changesIn(shared));
  return entries.map((entry) => ({
    platform: entry.platform,
    content: withChanges(content, changesIn(entry)),
    ifLate: shared.ifLate,
    // null: the entry has no time, whatever that of the batch is.
    scheduledAt: instantOf(entry.scheduledAt === undefined ? shared.scheduledAt : entry.scheduledAt) ?? null,
  }));
}

/** @throws RequestIsNotValid if fields contradict each other */
export function newPostIn(body: CreatePostDto): Omit<PostToCreate, 'brandId' | 'caller'> {
  const scheduledAt = instantOf(body.scheduledAt);
  refuse(
    body.status === 'scheduled' && !scheduledAt && TIME_IS_MISSING,
    body.status === 'draft' && scheduledAt !== undefined && TIME_OF_A_DRAFT,
  );
  return {
    platform: body.platform,
    content: contentIn(body),
    thread: threadOf(body),
    scheduledAt: scheduledAt ?? null,
    ifLate: body.ifLate,
    isSuggestion: body.origin === 'suggestion',
  };
}

/**
 * null: no brand is named, and neither files nor a connection are checked, so none is needed.
 * @throws RequestIsNotValid with files or a connection and without a brand
 */
export function preflightBrandOf(body: PreflightDto, header: string | undefined): string | null {
  const isNamed = body.brandId !== undefined || header !== undefined;
  const needsBrand = [body, ...(body.posts ?? [])].some(
    ({ mediaIds = [], target }) => mediaIds.length > 0 || Boolean(target?.connectionId),
  );
  return isNamed || needsBrand ? namedBrand(body.brandId, header) : null;
}

/** The form with one network. @throws RequestIsNotValid for a form that is neither of the two */
export function singleContentIn(body: PreflightDto): Pick<ContentToReport, 'content' | 'scheduledAt'> {
  const { text, scheduledAt } = body;
  if (text === undefined) throw new RequestIsNotValid([TEXT_IS_MISSING]);
  return { content: contentIn({ ...body, text }), scheduledAt: instantOf(scheduledAt) ?? null };
}

/** @throws RequestIsNotValid for fields of the form with one network */
export function contentsIn(body: PreflightDto, posts: readonly BatchEntryDto[]): ContentToReport[] {
  const { platform, target } = body;
  refuse(
    platform !== undefined && { ...OF_ONE_NETWORK, pointer: '#/platform' },
    target !== undefined && { ...OF_ONE_NETWORK, pointer: '#/target' },
  );
  return entriesIn(body, posts);
}

/** @throws RequestIsNotValid if fields contradict each other */
export function updateIn(body: UpdatePostDto): Omit<PostUpdate, 'postId' | 'caller' | 'ifVersion'> {
  const scheduledAt = instantOf(body.scheduledAt);
  refuse(
    body.status === 'scheduled' && body.scheduledAt === null && TIME_IS_MISSING,
    body.status === 'draft' && scheduledAt !== undefined && TIME_OF_A_DRAFT,
  );
  return { changes: changesIn(body), intent: intentIn(body, scheduledAt), ifLate: body.ifLate };
}

function intentIn(body: UpdatePostDto, scheduledAt: string | undefined): ScheduleIntent | undefined {
  if (scheduledAt !== undefined) return { kind: 'schedule', scheduledAt };
  if (body.scheduledAt === null) return { kind: 'clear-time' };
  if (body.status === 'draft') return { kind: 'revert' };
  return body.status === 'scheduled' ? { kind: 'stay-scheduled' } : undefined;
}

const TEXT_IS_MISSING: FieldError = { pointer: '#/text', code: 'required', detail: 'is required' };
const OF_ONE_NETWORK = { code: 'contradicts_posts', detail: 'must not be sent with posts' };
const TIME_IS_MISSING: FieldError = {
  pointer: '#/scheduledAt',
  code: 'required',
  detail: 'is required for a scheduled post',
};
const TIME_OF_A_DRAFT: FieldError = {
  pointer: '#/scheduledAt',
  code: 'contradicts_status',
  detail: 'must not be sent with the status draft, which has no time',
};

function refuse(...errors: readonly (FieldError | false)[]): void {
  const found = errors.filter((error) => error !== false);
  if (found.length > 0) throw new RequestIsNotValid(found);
}

function threadOf({ threadId, threadPosition }: CreatePostDto): PostToCreate['thread'] {
  const id = threadId?.toLowerCase();
  const position = threadPosition ?? undefined;
  return id === undefined && position === undefined ? null : { id, position };
}
