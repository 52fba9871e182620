import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildWhenNeeded } from './prepare/build.mjs';
import { installWhenNeeded, NODE } from './prepare/install.mjs';
import { oneAtATime } from './prepare/lock.mjs';
import { endWhenOrphaned } from './prepare/orphan.mjs';
import { Problem, explain } from './prepare/problem.mjs';
import { giveWayTo } from './prepare/run.mjs';

/**
 * What `npm start`, `npm test`, `npm run check` and `npm run bench` begin with, under whatever Node the machine has and with
 * nothing installed: only Node's own modules may be imported here. Takes a fraction of a second when nothing changed. Then
 * runs what it was called with, a program and its arguments, on our Node.
 *
 * It is called by these scripts and does not stand around them, as prestart would: npm leaves that out for whoever has
 * set ignore-scripts. Nor does a shell run one after the other: it may remember which `node` it found before the install.
 */
const OLDEST_NODE = 20;

chdir(fileURLToPath(new URL('..', import.meta.url)));

try {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new Problem(
      `This needs Node ${OLDEST_NODE} or newer; here is ${process.version}. See https://nodejs.org.`,
    );
  }
  endWhenOrphaned();
  await oneAtATime(async () => {
    await installWhenNeeded();
    await buildWhenNeeded();
  });
  const program = process.argv.slice(2);
  if (program.length > 0) process.exitCode = await giveWayTo(NODE, program);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
