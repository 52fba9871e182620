import { existsSync, readFileSync } from 'node:fs';
import { Problem, sentenceFor } from './problem.mjs';
import { run } from './run.mjs';

/** npm writes this file at the end of an install; it is missing after an interrupted one. */
const INSTALLED = 'node_modules/.package-lock.json';

/** The installed Node, on which every later script runs. */
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

/**
 * Whether every package of the lock file is installed at its version, except optional ones for other machines, and none of their
 * folders was removed since.
 */
function isInstalled() {
  if (!existsSync(INSTALLED) || !existsSync(NODE)) return false;
  const here = packagesOf(INSTALLED);
  return Object.entries(packagesOf('package-lock.json')).every(([path, wanted]) => {
    if (path === '' || (wanted.optional && !here[path])) return true;
    return here[path]?.version === wanted.version && existsSync(`${path}/package.json`);
  });
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/** Runs the calling npm on its own Node, because the one in node_modules is about to be replaced. */
export function npm(args) {
  const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env;
  return script ? run(node, [script, ...args]) : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}
