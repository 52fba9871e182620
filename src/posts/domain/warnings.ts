/** Something about a post that its author should know; it never refuses anything. */
export interface PostWarning {
  /** `duplicate_text`, `time_conflict`, `thread_gap`, why no account can publish it (`account_not_connected`, `reconnect_needed`), the id of a network's rule, or `not_looked_up`. */
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the post. */
  readonly pointer: string;
  /** The other post it is about; null where it is about none, or about one that the caller may not see. */
  readonly postId: string | null;
}

/** Another post of the same account within a day: of the same text, or within five minutes. */
export interface Neighbour {
  /** null: of a brand that the caller may not see. */
  readonly id: string | null;
  readonly hasSameText: boolean;
  /** null: a draft without a time. */
  readonly goesOutAt: Date | null;
  readonly threadId: string | null;
}

export interface PostTiming {
  /** When it goes out, went out, or is proposed to. */
  readonly time: string | null;
  readonly threadId: string | null;
  /** Position of its thread that has to be live before it and that no post has; null when nothing is missing. */
  readonly gapAt: number | null;
}

/** Instead of all others, where they are out of reach just now. */
export const WARNINGS_UNAVAILABLE: PostWarning = {
  code: 'not_looked_up',
  message:
    'It is saved as shown. What it waits for, and what speaks against it, could not be looked up just now.',
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

/** Parts of one thread go out one after the other anyway. */
function collides(other: Neighbour, time: string | null, threadId: string | null): boolean {
  if (time === null || other.goesOutAt === null) return false;
  if (threadId !== null && other.threadId === threadId) return false;
  return Math.abs(other.goesOutAt.getTime() - new Date(time).getTime()) <= MINUTES_APART * 60_000;
}

const duplicate = ({ id }: Neighbour): PostWarning => ({
  code: 'duplicate_text',
  message: 'Another post of this account within 24 hours says the same. Networks may refuse the second.',
  pointer: '#/text',
  postId: id,
});

const conflict = ({ id }: Neighbour): PostWarning => ({
  code: 'time_conflict',
  message: `Another post of this account goes out within ${MINUTES_APART} minutes of this one.`,
  pointer: '#/scheduledAt',
  postId: id,
});

const gap = (position: number): PostWarning => ({
  code: 'thread_gap',
  message: `No post is at position ${position} of this thread. Until one is there and published, this one will not go out.`,
  pointer: '#/threadPosition',
  postId: null,
});
