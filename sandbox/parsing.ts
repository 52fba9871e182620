import { BoundedQueue, runInThread, type ThreadLimits } from '#libs/concurrency';

/** A damaged file can keep a parser busy for ever; a whole one of the largest size takes a part of a second. */
const LIMITS: ThreadLimits = { milliseconds: 5_000, megabytes: 256 };
const WAITING = { total: Infinity, perOrigin: Infinity, unknownTotal: Infinity };
/** The sandbox shares its process with all services of the machine, and has one core of it at most. */
const queue = new BoundedQueue(1, WAITING, () => new Error('Too many files are parsed. Repeat the request.'));

/**
 * Parses a received file in a thread, so that what it does to its parser stops no service.
 * @param module calls `serveThread`. @returns undefined when the file took all of the time or memory, or is not readable
 */
export async function parsedInThread<T>(
  module: URL,
  input: unknown,
  limits = LIMITS,
): Promise<T | undefined> {
  const result = await queue.run({ name: 'sandbox' }, () => runInThread(module, limits, input));
  return result.kind === 'done' ? (result.output as T | undefined) : undefined;
}
