import { processEnvironment } from '#libs/config';
import { readWishes } from './command-line.js';
import { whenOrphaned } from './orphan.js';
import { Parts, StartWasCalledOff } from './parts.js';
import { sentenceFor } from './refusal.js';
import { screen } from './screen.js';
import { startEverything } from './start-everything.js';

/** After the first signal: npm and the terminal both send one, so only a later one means impatience. */
const FORCE_EXIT_AFTER_MS = 1_000;

const say = (text: string) => process.stdout.write(`${text}\n`);
const printStartError = (text: string) => process.stderr.write(`${text}\n`);

/** Everything on one machine, in one process, until a signal. */
export async function runEmbedded(): Promise<void> {
  const parts = new Parts(printStartError);
  stopOnSignals(parts);
  try {
    const wishes = readWishes(process.argv.slice(2));
    const lost = (sentence: string) => void giveUp(sentence, parts);
    say(screen(await startEverything(processEnvironment(), wishes, parts, lost)));
  } catch (error) {
    if (error instanceof StartWasCalledOff) return;
    await giveUp(sentenceFor(error) ?? String((error as Error).stack ?? error), parts);
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
