import type { Instant, Platform, PostOption, PostOptions, Target } from '#libs/content';
import type { DomainError } from '#libs/errors';
import { mustBeEditable, mustBePublishable, type Refusal, throwIfRefused, timeRefusal } from './guards.js';
import type { IfLate } from './late-window.js';
import { ContentCannotBePublished, PostIsEmpty } from './post.errors.js';
import type { Blocker, By, MediaCounts, PostContent, PostEvent, ThreadPosition } from './post.events.js';
import { type Draft, eventIdsOf, type Failed, mustExist, type Post, type Scheduled } from './post.js';

export interface NewPost {
  readonly postId: string;
  readonly brandId: string;
  readonly platform: Platform;
  readonly content: PostContent;
  readonly thread: ThreadPosition | null;
  /** Network rules of severity error that this content violates. */
  readonly blockers: readonly Blocker[];
  /** Files that could not be made to fit the network, as far as known. Not recorded: they may be made later. */
  readonly unfit?: readonly Blocker[];
  /** undefined without files. */
  readonly media?: MediaCounts;
  /** undefined or null: the usual. */
  readonly ifLate?: IfLate | null;
  /** null: a draft, or a suggestion without a proposed time. */
  readonly scheduledAt: Instant | null;
  readonly by: By;
}

/** Whatever an automation writes is a suggestion, which a person approves. */
export const isAutomation = (by: By): boolean => by.type === 'service' || by.type === 'api_key';

/** A person's post: a draft, or scheduled if it has a time. */
export const draft =
  (post: NewPost, now: Instant) =>
  (_: Post): PostEvent[] => {
    if (isAutomation(post.by)) return suggest(post, now)(_);
    mustBeWritable(post, now);
    const { postId, brandId, scheduledAt, by, unfit = [] } = post;
    const drafted: PostEvent = { type: 'PostDrafted', data: newPostData(post) };
    const written = [drafted, ...latenessOf(post)];
    if (scheduledAt === null) return written;
    const blockers = [...post.blockers, ...unfit];
    if (blockers.length > 0) throw new ContentCannotBePublished(blockers);
    return [...written, { type: 'PostScheduled', data: { postId, brandId, scheduledAt, by } }];
  };

/** A pending suggestion. Its time is a proposal, so content that violates a rule can still be suggested. */
export const suggest =
  (post: NewPost, now: Instant) =>
  (_: Post): PostEvent[] => {
    mustBeWritable(post, now);
    return [
      { type: 'PostSuggested', data: { ...newPostData(post), by: post.by, proposedTime: post.scheduledAt } },
      ...latenessOf(post),
    ];
  };

type Writable = Pick<NewPost, 'content' | 'scheduledAt'>;

/** What refuses a new post besides the rules of its network; preflight reports the same. */
export const refusalsOfNew = ({ content, scheduledAt }: Writable, now: Instant): DomainError[] =>
  [emptinessRefusal(content), scheduledAt === null ? null : timeRefusal(scheduledAt, now)].flatMap(
    (refusal) => refusal?.() ?? [],
  );

/** @throws the first of `refusalsOfNew` */
function mustBeWritable(post: Writable, now: Instant): void {
  const [refusal] = refusalsOfNew(post, now);
  if (refusal) throw refusal;
}

const latenessOf = ({ postId, brandId, ifLate = null, by }: NewPost): PostEvent[] =>
  ifLate === null ? [] : [{ type: 'PostLatenessChosen', data: { postId, brandId, ifLate, by } }];

/** Our own rule, independent of the networks: an empty post cannot be reviewed. */
const emptinessRefusal = ({ text, mediaIds }: PostContent): Refusal =>
  text.trim() === '' && mediaIds.length === 0 ? () => new PostIsEmpty() : null;

const newPostData = (post: NewPost) => ({
  postId: post.postId,
  brandId: post.brandId,
  authorId: post.by.id,
  platform: post.platform,
  content: post.content,
  thread: post.thread,
  blockers: post.blockers,
  ...(post.media && { media: post.media }),
});

export interface Edit {
  /** The whole content after the edit. */
  readonly content: PostContent;
  /** Network rules of severity error that the new content violates. */
  readonly blockers: readonly Blocker[];
  /** As in `NewPost`. */
  readonly unfit?: readonly Blocker[];
  /** Of the new content; undefined without files. */
  readonly media?: MediaCounts;
  /** Fingerprint of the new content. */
  readonly fingerprint: string;
  readonly by: By;
}

/**
 * A person's edit of approved content renews the approval in that person's name; an automation's edit makes it pending
 * again. Scheduled or approved content must stay publishable, a draft need not be.
 */
export const edit =
  ({ content, blockers, unfit = [], media, fingerprint, by }: Edit) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeEditable(post);
    const changed = changedFields(post.content, content);
    if (changed.length === 0) return [];
    throwIfRefused(emptinessRefusal(content));
    const edited: PostEvent = {
      type: 'PostEdited',
      data: { ...eventIdsOf(post), content, changed, blockers, by, ...(media && { media }) },
    };
    if (needsNewApproval(post, by))
      return [
        edited,
        {
          type: 'PostReturnedForApproval',
          data: { ...eventIdsOf(post), by, proposedTime: requestedTimeOf(post) },
        },
      ];
    if (post.status === 'scheduled' || post.approval.state === 'approved')
      mustBePublishable({ ...post, blockers: [...blockers, ...unfit] });
    if (post.approval.state !== 'approved') return [edited];
    return [edited, { type: 'PostApprovalRenewed', data: { ...eventIdsOf(post), by, fingerprint } }];
  };

const needsNewApproval = (post: Draft | Scheduled | Failed, by: By): boolean => {
  if (post.approval.state === 'rejected') return true;
  if (!isAutomation(by)) return false;
  return post.approval.state !== 'pending' || post.approval.suggestedBy.id !== by.id;
};

const requestedTimeOf = (post: Draft | Scheduled | Failed): Instant | null =>
  post.status === 'draft' ? post.proposedTime : post.scheduledAt;

const FIELDS = [
  'text',
  'title',
  'mediaIds',
  'link',
  'target',
  'options',
] as const satisfies (keyof PostContent)[];

/** Which fields differ, in a fixed order. */
export const changedFields = (before: PostContent, after: PostContent): (keyof PostContent)[] =>
  FIELDS.filter((field) => canonical(before[field]) !== canonical(after[field]));

export type TargetChanges = { readonly [Part in keyof Target]?: string | null };
export type OptionChanges = { readonly [Option in PostOption]?: PostOptions[Option] | null };
/** undefined keeps a field. Each part of the target and each option is kept or replaced on its own; null removes it. */
export type ContentChanges = Partial<Omit<PostContent, 'target' | 'options'>> & {
  readonly target?: TargetChanges;
  readonly options?: OptionChanges;
};

export const NO_CONTENT: PostContent = { text: '', title: null, mediaIds: [], link: null, target: {} };

/** Replaces the fields that were sent. */
export const withChanges = (content: PostContent, changes: ContentChanges): PostContent => ({
  text: changes.text ?? content.text,
  title: changes.title === undefined ? content.title : changes.title,
  mediaIds: changes.mediaIds ?? content.mediaIds,
  link: changes.link === undefined ? content.link : changes.link,
  target: partsWith(content.target, changes.target ?? {}),
  ...optionsWith(content.options ?? {}, changes.options ?? {}),
});

/** No member if no option remains. An empty list chooses nothing. */
function optionsWith(options: PostOptions, changes: OptionChanges): Pick<PostContent, 'options'> {
  const chosen = Object.entries(partsWith(options, changes)).filter(([, value]) => !isEmptyList(value));
  return chosen.length === 0 ? {} : { options: Object.fromEntries(chosen) };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function partsWith<Parts extends object>(
  parts: Parts,
  changes: { readonly [Part in keyof Parts]?: Parts[Part] | null },
): Parts {
  const sent = Object.entries(changes).filter(([, part]) => part !== undefined);
  const merged = Object.entries({ ...parts, ...Object.fromEntries(sent) });
  return Object.fromEntries(merged.filter(([, part]) => part !== null)) as Parts;
}

/**
 * Input of the fingerprint: equal for equal content, whatever the order of the keys of a target or of the options, and whether
 * there are none or an empty object of them.
 */
export const canonicalContent = (content: PostContent): string =>
  JSON.stringify(
    FIELDS.filter((field) => isFingerprinted(field, content)).map((field) => canonical(content[field])),
  );

const isFingerprinted = (field: keyof PostContent, { options = {} }: PostContent): boolean =>
  field !== 'options' || Object.keys(options).length > 0;

const canonical = (value: PostContent[keyof PostContent] = {}): string =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value);
