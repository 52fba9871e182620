/** Information for the author. A warning never refuses a request. */
export interface PostWarning {
  /** `duplicate_text`, `time_conflict`, `thread_gap`, `account_not_connected`, `reconnect_needed`, `not_looked_up`, or the id of a network's rule. */
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the post. */
  readonly pointer: string;
  /** The other post; null if there is none or the caller may not see it. */
  readonly postId: string | null;
}

/** Another post of the same account: the same text within a day, or any text within five minutes. */
export interface Neighbour {
  /** null: the caller may not see its brand. */
  readonly id: string | null;
  readonly hasSameText: boolean;
  /** null for a draft without a time. */
  readonly goesOutAt: Date | null;
  readonly threadId: string | null;
}

export interface PostTiming {
  /** The published, scheduled or proposed time. */
  readonly time: string | null;
  readonly threadId: string | null;
  /** The preceding position of the thread if no post has it, else null. */
  readonly gapAt: number | null;
}

/** Replaces all other warnings if a lookup failed. */
export const WARNINGS_UNAVAILABLE: PostWarning = {
  code: 'not_looked_up',
  message:
    'The post is saved. Its warnings and the post it waits for could not be looked up. Read the post again later.',
  pointer: '#',
  postId: null,
};

const MINUTES_APART = 5;

export function warningsOf(
  findings: readonly { readonly ruleId: string; readonly message: string; readonly pointer: string }[],
  neighbours: readonly Neighbour[],
  { time, threadId, gapAt }: PostTiming,
): PostWarning[] {
  return [
    ...findings.map(({ ruleId: code, message, pointer }) => ({ code, message, pointer, postId: null })),
    ...neighbours.filter(({ hasSameText }) => hasSameText).map(duplicate),
    ...neighbours.filter((other) => collides(other, time, threadId)).map(conflict),
    ...(gapAt === null ? [] : [gap(gapAt)]),
  ];
}

/** Parts of one thread never conflict: they are published in order. */
function collides(other: Neighbour, time: string | null, threadId: string | null): boolean {
  if (time === null || other.goesOutAt === null) return false;
  if (threadId !== null && other.threadId === threadId) return false;
  return Math.abs(other.goesOutAt.getTime() - new Date(time).getTime()) <= MINUTES_APART * 60_000;
}

const duplicate = ({ id }: Neighbour): PostWarning => ({
  code: 'duplicate_text',
  message: 'Another post of this account within 24 hours has the same text. Networks may refuse the second.',
  pointer: '#/text',
  postId: id,
});

const conflict = ({ id }: Neighbour): PostWarning => ({
  code: 'time_conflict',
  message: `Another post of this account has a time within ${MINUTES_APART} minutes of this one.`,
  pointer: '#/scheduledAt',
  postId: id,
});

const gap = (position: number): PostWarning => ({
  code: 'thread_gap',
  message: `No post has position ${position} of this thread. This post is not published before that position is.`,
  pointer: '#/threadPosition',
  postId: null,
});
