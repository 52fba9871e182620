import { processEnvironment, unreadVariables } from '#libs/config';
import { readCliOptions } from './command-line.js';
import { Parts, StartWasCancelled } from './parts.js';
import { messageFor } from './refusal.js';
import { startEverything } from './start-everything.js';
import { summary } from './summary.js';

/** Interval of the check. */
const EVERY_MS = 500;

/**
 * Calls back when scripts/prepare.mjs, which forwards signals under `npm start`, was killed. Does nothing for a direct start
 * (`node dist/local/main.js`, nohup, a supervisor).
 */
export function whenOrphaned(underNpm: boolean, callback: () => void): void {
  if (!underNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, EVERY_MS);
  timer.unref();
}

/** npm and the terminal both send a signal, so only a later one forces the exit. */
const FORCE_EXIT_AFTER_MS = 1_000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const printStartError = (text: string) => process.stderr.write(`${text}\n`);

/** Everything on one machine, in one process, until a signal. */
export async function runEmbedded(): Promise<void> {
  const parts = new Parts(printStartError);
  stopOnSignals(parts);
  const unread = unreadVariables(processEnvironment());
  if (unread.length > 0) printStartError(`No part reads ${unread.join(', ')}: see .env.example.\n`);
  try {
    const options = readCliOptions(process.argv.slice(2));
    const lost = (sentence: string) => void giveUp(sentence, parts);
    say(summary(await startEverything(processEnvironment(), options, parts, lost)));
  } catch (error) {
    if (error instanceof StartWasCancelled) return;
    await giveUp(messageFor(error) ?? String((error as Error).stack ?? error), parts);
  }
}

async function giveUp(sentence: string, parts: Parts): Promise<void> {
  printStartError(sentence);
  await parts.stop();
  process.exit(1);
}

function stopOnSignals(parts: Parts): void {
  let since: number | undefined;
  const stop = () => {
    if (since !== undefined && performance.now() - since > FORCE_EXIT_AFTER_MS) process.exit(1);
    if (since !== undefined) return;
    since = performance.now();
    say('Stopping …');
    void parts.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  whenOrphaned(processEnvironment().npm_lifecycle_event === 'start', stop);
}
