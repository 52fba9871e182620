import type { FailureReport, Instant } from '#libs/content';

/** What becomes of a post that cannot be sent in its late window, if its author has chosen. */
export const IF_LATE = ['publish', 'fail'] as const;
export type IfLate = (typeof IF_LATE)[number];

/** What of a scheduled post decides when it is late. */
interface Timed {
  readonly scheduledAt: Instant;
  readonly lateFrom: Instant | null;
  readonly ifLate?: IfLate;
}

/** An account or a network that takes no post before `until`, by its own statement. */
export interface StatedHold {
  readonly until: Instant;
  /** Stable, snake_case. */
  readonly reason: string;
}

type HoldOrFailure =
  | ({ readonly kind: 'held'; readonly lateFrom?: Instant } & StatedHold)
  | { readonly kind: 'failed'; readonly failure: FailureReport };

/** So long after its time holds may move the late window of a post: the longest that networks state last a day. */
const LONGEST_DELAY_MS = 3 * 86_400_000;
/** A post that is wanted also when it is late: repetitions of its attempts end too. */
const LATEST_MS = 7 * 86_400_000;

const after = (at: Instant, milliseconds: number): Instant =>
  new Date(Date.parse(at) + milliseconds).toISOString();

/**
 * Start of the late window: the latest of its time, the publication of the part before it, and the end of a hold that moved it.
 * @param since null outside of a thread
 */
export const windowOf = (
  { scheduledAt, lateFrom }: Pick<Timed, 'scheduledAt' | 'lateFrom'>,
  since: Instant | null,
): Instant => [scheduledAt, since ?? scheduledAt, lateFrom ?? scheduledAt].sort().at(-1) as Instant;

/** The last moment at which the post is sent. */
export const lateAtOf = ({ ifLate }: Pick<Timed, 'ifLate'>, windowFrom: Instant, windowMs: number): Instant =>
  after(windowFrom, ifLate === 'publish' ? Math.max(windowMs, LATEST_MS) : windowMs);

/**
 * The late window of a post counts from the end of a hold that its network states, unless its author wants it in time only. A hold
 * that ends too late for the post fails it at once, so that its author can act. docs/design/holds.md
 */
export function afterStatedHold(
  { scheduledAt, ifLate }: Pick<Timed, 'scheduledAt' | 'ifLate'>,
  hold: StatedHold,
  lateAt: Instant,
): HoldOrFailure {
  const isMoved = ifLate === undefined && hold.until <= after(scheduledAt, LONGEST_DELAY_MS);
  if (isMoved) return { kind: 'held', ...hold, lateFrom: hold.until };
  if (hold.until <= lateAt) return { kind: 'held', ...hold };
  return { kind: 'failed', failure: endsTooLate(hold) };
}

const endsTooLate = ({ until, reason }: StatedHold): FailureReport => ({
  code: 'hold_ends_too_late',
  class: 'missed',
  networkCode: reason,
  message: `The network takes no post of this account before ${until}, when this post would be too late.`,
  nextStep: 'Reschedule the post to publish it after that time.',
});
