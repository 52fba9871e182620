import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildWhenNeeded } from './prepare/build.mjs';
import { installWhenNeeded, NODE } from './prepare/install.mjs';
import { withLock } from './prepare/lock.mjs';
import { exitWhenOrphaned } from './prepare/orphan.mjs';
import { Problem, explain } from './prepare/problem.mjs';
import { runInForeground } from './prepare/run.mjs';

/**
 * Prepares `npm start`, `npm test`, `npm run check` and `npm run bench` on any Node and without installed packages: imports
 * only Node's own modules. Takes a fraction of a second when nothing changed. Then runs the given program with its arguments
 * on the installed Node.
 *
 * Not a `prestart` script, because npm skips those with ignore-scripts. Not a shell chain, because a shell may cache the path
 * of `node` from before the install.
 */
const OLDEST_NODE = 20;

chdir(fileURLToPath(new URL('..', import.meta.url)));

try {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Problem(
      `This needs Node ${OLDEST_NODE} or newer; here is ${process.version}. See https://nodejs.org.`,
    );
  }
  exitWhenOrphaned();
  await withLock(async () => {
    await installWhenNeeded();
    await buildWhenNeeded();
  });
  const program = process.argv.slice(2);
  if (program.length > 0) process.exitCode = await runInForeground(NODE, program);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
