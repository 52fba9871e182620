import { constants } from 'node:os';

interface Closable {
  close(): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The process was told to end before the service had started. */
export class ProcessIsEnding extends Error {}

/** After the first signal: npm and the terminal both send one, so only a later one means impatience. */
const IMPATIENCE_MS = 1_000;

/**
 * For entry files: starts a service, and closes it when the process is told to end, also while it still starts. A signal
 * more than a second after the first one ends the process at once. Either way the exit status is 128 and the number of the
 * signal, as a shell says it. The process does not send the signal to itself in the end: the kernel keeps from the first
 * process of a container what that has no handler for, see pid_namespaces(7).
 * @param start is told by the signal that it may give up, by throwing the signal's reason
 * @param onFailure told of what goes wrong while it closes
 * @throws whatever `start` throws
 */
export async function closeOnSignals<Service extends Closable>(
  start: (ending: AbortSignal) => Promise<Service>,
  onFailure: (error: unknown) => void,
): Promise<Service> {
  const ending = new AbortController();
  let since: number | undefined;
  let starting: Promise<Service | undefined> = Promise.resolve(undefined);
  const end = (signal: (typeof SIGNALS)[number]): void => {
    const exit = () => process.exit(128 + constants.signals[signal]);
    if (since !== undefined && performance.now() - since > IMPATIENCE_MS) exit();
    if (since !== undefined) return;
    since = performance.now();
    ending.abort(new ProcessIsEnding());
    void starting
      .catch(() => undefined)
      .then((service) => service?.close())
      .catch(onFailure)
      // What kept it from starting is said before.
      .finally(() => setImmediate(exit));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const started = start(ending.signal);
  starting = started;
  return started;
}
