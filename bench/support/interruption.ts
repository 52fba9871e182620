import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Interrupted extends Error {
  /** Exit status as in shells. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super('Stopped.');
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Rejects on the first Ctrl-C or request to end; a second one ends the process at once. @throws Interrupted */
export function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    const end = (signal: (typeof SIGNALS)[number]) => {
      for (const each of SIGNALS) process.off(each, end);
      reject(new Interrupted(signal));
    };
    for (const signal of SIGNALS) process.once(signal, end);
  });
  interrupted.catch(() => undefined);
  return interrupted;
}
