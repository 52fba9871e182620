import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment } from '#libs/config';
import { childEnvironment } from './child-environment.js';

export interface SpawnedEntry {
  readonly process: ChildProcess;
  readonly url: string;
  readonly managementUrl: string;
  /** Its error output. */
  readonly complaints: () => string;
  /** Everything that it has written. */
  readonly output: () => string;
}

/** An entry file of the build as a separate process, which tests can kill. @param entry such as `dist/src/worker.js` */
export async function spawnEntry(entry: string, environment: Environment): Promise<SpawnedEntry> {
  const child = spawn(process.execPath, [entry], {
    env: { ...childEnvironment(), SHUTDOWN_DELAY_MS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const [url = '', managementUrl = ''] = await new Promise<string[]>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      said += text;
      // All that is new, because it can be long, and the end of what came before.
      const addresses = /listens on (\S+), management on ([^\s"]+)/.exec(said.slice(-10_000 - text.length));
      if (addresses) resolve(addresses.slice(1));
    });
    child.once('exit', () => reject(new Error(`${entry} did not start: ${complaints}`)));
  });
  return {
    process: child,
    url,
    managementUrl,
    complaints: () => complaints,
    output: () => said + complaints,
  };
}
