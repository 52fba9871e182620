import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildWhenNeeded } from './prepare/build.mjs';
import { installWhenNeeded } from './prepare/install.mjs';
import { oneAtATime } from './prepare/lock.mjs';
import { Problem, explain } from './prepare/problem.mjs';

/**
 * Runs before `npm start`, `npm test` and `npm run bench`, under whatever Node the machine has and with nothing
 * installed: only Node's own modules may be imported here. Takes a fraction of a second when nothing changed.
 */
const OLDEST_NODE = 20;

chdir(fileURLToPath(new URL('..', import.meta.url)));

try {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Problem(
      `This needs Node ${OLDEST_NODE} or newer; here is ${process.version}. See https://nodejs.org.`,
    );
  }
  await oneAtATime(async () => {
    await installWhenNeeded();
    await buildWhenNeeded();
  });
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
