import { existsSync, readFileSync } from 'node:fs';
import { Problem, sentenceFor } from './problem.mjs';
import { run } from './run.mjs';

/** What npm notes in node_modules at the end of an install; missing after one that was interrupted. */
const INSTALLED = 'node_modules/.package-lock.json';

/** The Node that every later script runs on, whatever the machine has. */
export const NODE =
  process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node';

export async function installWhenNeeded() {
  if (isInstalled()) return;
  console.log('Installing packages (about half a minute, once) …');
  const { code, output } = await npm([
    'ci',
    '--include=dev',
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
  ]);
  if (code !== 0) {
    console.error(output.trim());
    throw new Problem(sentenceFor(output) ?? 'Installing the packages failed (npm ci, see above).');
  }
  if (!existsSync(NODE)) {
    throw new Problem(
      'npm did not run the install scripts of packages. Allow them (npm config get ignore-scripts) and start again.',
    );
  }
}

/** Every package of the lock is there at its version; optional ones may be for other machines. */
function isInstalled() {
  if (!existsSync(INSTALLED) || !existsSync(NODE)) return false;
  const here = packagesOf(INSTALLED);
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, wanted]) => path === '' || wanted.optional || here[path]?.version === wanted.version,
  );
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/** The npm that called us, on the Node it runs on itself: the one in node_modules is about to be replaced. */
export function npm(args) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  return script ? run(node, [script, ...args]) : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}
