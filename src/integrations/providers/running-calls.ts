import type { Clock } from '#libs/clock';
import type { ReconcileRequest } from '../domain/provider-publishing.js';

/**
 * A call that was not answered may still run at the network, or wait in a proxy: what the network does not have yet is evidence only
 * so long after it began. Longer than any time limit of a call, of a proxy or of the network.
 * docs/design/publishing.md
 */
const SETTLED_AFTER_MS = 15 * 60_000;

/** Whether the irreversible call of the attempt may still have an effect. It may have begun long after its attempt: uploads take time. */
export const mayStillRun = (
  { since, prepared }: Pick<ReconcileRequest, 'since' | 'prepared'>,
  clock: Clock,
): boolean =>
  Math.min(clock.now().getTime() - Date.parse(since), prepared?.quietMs ?? Infinity) < SETTLED_AFTER_MS;
