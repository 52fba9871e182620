import { instantOf } from '#libs/http';
import type { PostOfBatch, PostsToCreate } from '../../commands/create-posts.js';
import { NO_CONTENT, withChanges } from '../../domain/writing.js';
import type { BatchEntryDto, CreatePostsDto, SharedContentDto } from './batch.dto.js';
import { changesIn } from './content.dto.js';

export const newPostsIn = (body: CreatePostsDto): Pick<PostsToCreate, 'posts' | 'isSuggestion'> => ({
  posts: entriesIn(body, body.posts),
  isSuggestion: body.origin === 'suggestion',
});

/** Each entry with the fields of the batch that it does not have of its own. Options are merged one by one. */
export function entriesIn(shared: SharedContentDto, entries: readonly BatchEntryDto[]): PostOfBatch[] {
  const content = withChanges(NO_CONTENT, changesIn(shared));
  return entries.map((entry) => ({
    platform: entry.platform,
    content: withChanges(content, changesIn(entry)),
    ifLate: shared.ifLate,
    // null: the entry has no time, whatever that of the batch is.
    scheduledAt: instantOf(entry.scheduledAt === undefined ? shared.scheduledAt : entry.scheduledAt) ?? null,
  }));
}
