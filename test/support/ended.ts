import { runInNewContext } from 'node:vm';

/** Milliseconds. Far longer than the work takes: it only ends what would block the worker for hours. */
const LONGEST = 20_000;

/** The result of synchronous work. @throws when it does not end */
export const ended = <T>(work: () => T): T => runInNewContext('work()', { work }, { timeout: LONGEST }) as T;
