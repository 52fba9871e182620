import { constants } from 'node:os';

interface Closable {
  close(): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The process received a signal before the service had started. */
export class ProcessIsEnding extends Error {}

/** npm and the terminal both send a signal, so only a later one forces the exit. */
const FORCE_EXIT_AFTER_MS = 1_000;

/**
 * For entry files: starts a service and closes it on a signal, also while it starts. A signal more than a second after the
 * first one ends the process at once. The exit status is 128 plus the number of the signal, as in shells. The process does
 * not send itself the signal: the kernel ignores that in the first process of a container, see pid_namespaces(7).
 * @param start may stop when the signal aborts, by throwing its reason
 * @param onFailure receives errors while the service closes
 * @throws the error of `start`
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
    if (since !== undefined && performance.now() - since > FORCE_EXIT_AFTER_MS) exit();
    if (since !== undefined) return;
    since = performance.now();
    ending.abort(new ProcessIsEnding());
    void starting
      .catch(() => undefined)
      .then((service) => service?.close())
      .catch(onFailure)
      // Exits after the caller has logged the error of a failed start.
      .finally(() => setImmediate(exit));
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const started = start(ending.signal);
  starting = started;
  return started;
}
