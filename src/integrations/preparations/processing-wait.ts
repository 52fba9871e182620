import type { FailureReport } from '#libs/content';

/** Over all waits for one prepared content. Networks process long videos within hours. */
export const PROCESSING_BUDGET_MS = 4 * 3_600_000;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 3_600_000;
/** The next wait is this share of the time waited so far: each wait is an attempt in the history, a hundred within the budget. */
const SHARE = 0.1;

/** Milliseconds: `asked` by the network, `waited` by the post for this content. @returns null: it has waited long enough */
export function processingWait(asked: number, waited: number): number | null {
  if (waited >= PROCESSING_BUDGET_MS) return null;
  return Math.min(LONGEST_MS, Math.max(asked, SHORTEST_MS, waited * SHARE));
}

/**
 * The wait of a post that the network refuses for now. The time that the network states is not shortened; it counts as an hour at most.
 * @param budget milliseconds of all waits for this content
 * @returns milliseconds to wait and to count; null: it has waited long enough
 */
export function postponement(
  asked: number,
  waited: number,
  budget = PROCESSING_BUDGET_MS,
): { readonly milliseconds: number; readonly counted: number } | null {
  if (waited >= budget) return null;
  const milliseconds = Math.max(asked, SHORTEST_MS, waited * SHARE);
  return { milliseconds, counted: Math.min(milliseconds, LONGEST_MS) };
}

export const processingTimeout: FailureReport = {
  code: 'network_processing_timeout',
  class: 'transient',
  networkCode: null,
  message:
    'The network has not finished processing this post after several hours of waiting; nothing was published.',
  nextStep: 'Check the media of the post, then retry it.',
};
