import { AsyncLocalStorage } from 'node:async_hooks';

/** What a statement is for: `request` is the default; `long` is for imports, exports and sweeps. */
export type TimeLimit = 'request' | 'long';

const current = new AsyncLocalStorage<TimeLimit>();

/** Statements of `Database` that begin inside `work` have the long time limit (DATABASE_LONG_STATEMENT_TIMEOUT_MS). */
export function longRunning<T>(work: () => T): T {
  return current.run('long', work);
}

export const currentTimeLimit = (): TimeLimit => current.getStore() ?? 'request';
