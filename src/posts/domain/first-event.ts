import type { Instant } from '#libs/content';
import type { By, PostEvent } from './post.events.js';
import type { Absent, Draft, Existing } from './post.js';
import { isAutomation } from './writing.js';

type Data<Type extends PostEvent['type']> = Extract<PostEvent, { type: Type }>['data'];

/** An event that cannot follow the events before it: the log is invalid, not the request. */
export class InvalidEventSequence extends Error {
  constructor(type: string, status: string) {
    super(`${type} cannot follow: the post is ${status}.`);
    this.name = 'InvalidEventSequence';
  }
}

/** Adds `by` if it is a service principal or an API key. */
export const withSuggester = (suggesters: readonly By[], by: By): readonly By[] =>
  !isAutomation(by) || suggesters.some(({ id }) => id === by.id) ? suggesters : [...suggesters, by];

const initialFields = (data: Data<'PostDrafted'>, at: Instant): Omit<Existing, 'origin' | 'suggesters'> => ({
  id: data.postId,
  brandId: data.brandId,
  authorId: data.authorId,
  platform: data.platform,
  content: data.content,
  blockers: data.blockers,
  thread: data.thread,
  attempts: 0,
  createdAt: at,
  updatedAt: at,
});

/** The first event of a post. */
export const first = (event: PostEvent, post: Absent, at: Instant): Draft => {
  if (event.type === 'PostDrafted')
    return {
      ...initialFields(event.data, at),
      origin: 'person',
      suggesters: [],
      status: 'draft',
      approval: { state: 'not_required' },
      proposedTime: null,
    };
  if (event.type !== 'PostSuggested') throw new InvalidEventSequence(event.type, post.status);
  const { by, proposedTime } = event.data;
  return {
    ...initialFields(event.data, at),
    origin: 'suggestion',
    suggesters: withSuggester([], by),
    status: 'draft',
    approval: { state: 'pending', suggestedBy: by },
    proposedTime,
  };
};
