import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that runs PostgreSQL, which refuses root. Undefined: the user of this process. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** For root, the system's `postgres` user, created if missing; `nobody` if no user can be created. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const found = await lookUp('postgres');
  if (found) return found;
  await run('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres']).catch(
    () => undefined,
  );
  const account = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (!account) {
    throw new Error(
      'PostgreSQL does not run as root, and no user could be made for it. Start as another user.',
    );
  }
  return account;
}

/** A program and its arguments for `spawn`, which run it as the account. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly identity: Account | Record<string, never>;
}

/**
 * * Other users cannot enter a checkout below a folder of root (`/root`, a private temporary folder). There the program keeps
 * the one capability that allows it; elsewhere it gets none.
 */
export async function launchAs(
  account: Account | undefined,
  command: string,
  args: readonly string[],
  places: readonly string[],
): Promise<Launch> {
  if (!account) return { command, args, identity: {} };
  if (await allOpen([command, ...places])) return { command, args, identity: account };
  const user = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // PostgreSQL finds its programs with access(2), which ignores capabilities without this bit
  const flags = [...user, '--securebits=+no_setuid_fixup', ...capability];
  return { command: 'setpriv', args: [...flags, command, ...args], identity: {} };
}

/** Whether all users may enter all parent folders of these paths. */
async function allOpen(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) return false;
    }
  }
  return true;
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
