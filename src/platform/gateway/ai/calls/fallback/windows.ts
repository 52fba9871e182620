import type { PlannedModel } from '../plan/plan.js';

type Windowed = Pick<PlannedModel, 'contextWindow'>;

/** The largest window that an input exceeds, in tokens; null: none so far. A window that is not known counts as the largest. */
export type ExceededWindow = number | null;

export const exceededBy = (exceeded: ExceededWindow, { contextWindow }: Windowed): ExceededWindow =>
  Math.max(exceeded ?? 0, contextWindow ?? Infinity);

/** Of models that can take a longer input. A window that is not known counts as not larger. */
export const isLarger = ({ contextWindow }: Windowed, exceeded: ExceededWindow): boolean =>
  exceeded === null || (contextWindow !== null && contextWindow > exceeded);
