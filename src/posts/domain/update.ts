import type { Instant } from '#libs/content';
import { evolve } from './evolve.js';
import type { IfLate } from './late-window.js';
import { mustBeEditable } from './guards.js';
import { ScheduleIsMissing } from './post.errors.js';
import type { Blocker, By, PostEvent } from './post.events.js';
import { mustExist, type Post } from './post.js';
import { chooseLateness, revert, schedule, withdrawTime } from './scheduling.js';
import { edit, type Edit } from './writing.js';

/** What an update does with the schedule of a post. */
export type ScheduleIntent =
  | { readonly kind: 'schedule'; readonly scheduledAt: Instant }
  /** Asks for the status `scheduled` without a time: the post must have one. */
  | { readonly kind: 'stay-scheduled' }
  /** Back to a draft; the proposed time of a suggestion stays. */
  | { readonly kind: 'revert' }
  /** Back to a draft without a proposed time. */
  | { readonly kind: 'clear-time' };

export interface Update {
  readonly edit?: Edit;
  /** undefined leaves the schedule unchanged. */
  readonly intent?: ScheduleIntent;
  /** null: the usual; undefined leaves it unchanged. */
  readonly ifLate?: IfLate | null;
  readonly by: By;
  /** By the current rules, of a draft that is not edited. Default: none. */
  readonly blockers?: readonly Blocker[];
  /** Whether the caller may schedule posts. */
  readonly maySchedule: boolean;
}

type Decision = (post: Post) => PostEvent[];

/** One atomic decision. @throws the errors of the edit and of the intent, ScheduleIsMissing */
export const update =
  (change: Update, now: Instant): Decision =>
  (state) => {
    const post = mustExist(state);
    mustBeEditable(post);
    if (change.intent?.kind === 'stay-scheduled' && post.status !== 'scheduled')
      throw new ScheduleIsMissing();
    return inSequence(decisionsOf(change, now), now)(state);
  };

/** A revert comes before the edit, so that a draft need not be publishable; a new time after it, so that the edited text is checked. */
function decisionsOf(
  { edit: changed, intent, ifLate, by, maySchedule, blockers = changed?.unfit }: Update,
  now: Instant,
): Decision[] {
  const lateness = ifLate === undefined ? [] : [chooseLateness(ifLate, by)];
  const edits = [...(changed ? [edit(changed)] : []), ...lateness];
  switch (intent?.kind) {
    case 'schedule':
      return [...edits, schedule({ scheduledAt: intent.scheduledAt, by, maySchedule, blockers }, now)];
    case 'revert':
      return [revert(by), ...edits];
    case 'clear-time':
      return [revert(by), ...edits, withdrawTime(by)];
    default:
      return edits;
  }
}

/** Each decision sees the result of the decisions before it. */
const inSequence =
  (decisions: readonly Decision[], now: Instant): Decision =>
  (state) => {
    let post = state;
    return decisions.flatMap((decide) => {
      const events = decide(post);
      post = events.reduce((before, event) => evolve(before, event, now), post);
      return events;
    });
  };
