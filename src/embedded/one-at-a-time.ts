import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#libs/clock';
import { Refusal } from './refusal.js';

/** Held while a start uses the data folder. */
export interface FolderClaim {
  release(): Promise<void>;
}

/** A start has its turn for some milliseconds: a turn this old is that of one that was killed in it. */
const ABANDONED_MS = 10_000;
const LOOK_AGAIN_MS = 50;
const clock = new SystemClock();

/**
 * Claims the data folder by listening on a local socket: it answers exactly as long as its process lives,
 * which a file with a process number cannot promise.
 * @throws Refusal when another start holds it.
 */
export async function claim(dataDirectory: string): Promise<FolderClaim> {
  const address = addressOf(dataDirectory);
  const server = await inTurn(turnOf(dataDirectory), async () => {
    return (await listen(address)) ?? (await takeOver(address));
  });
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Of a holder that was killed: its socket is still there, but nobody answers. */
async function takeOver(address: string): Promise<Server> {
  if (!(await answers(address))) {
    await rm(address, { force: true });
    const server = await listen(address);
    if (server) return server;
  }
  throw new Refusal(
    'It is already running from this folder. Use that one, stop it with Ctrl-C there, or set DATA_DIR and the ports to start another.',
  );
}

/** One start after the other: two that find the same dead socket would each remove what the other one listens on. */
async function inTurn<T>(turn: string, work: () => Promise<T>): Promise<T> {
  while (!(await begins(turn))) await sleep(LOOK_AGAIN_MS);
  try {
    return await work();
  } finally {
    await rm(turn, { force: true });
  }
}

async function begins(turn: string): Promise<boolean> {
  try {
    await writeFile(turn, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const begun = await stat(turn).catch(() => undefined);
  if (begun && clock.now().getTime() - begun.mtimeMs > ABANDONED_MS) await rm(turn, { force: true });
  return false;
}

/** In the temporary folder because a socket's path is limited to about 100 bytes. */
export function addressOf(dataDirectory: string): string {
  const name = nameOf(dataDirectory);
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** The file that is there while a start looks whether it may have the folder. */
export function turnOf(dataDirectory: string): string {
  return join(tmpdir(), `${nameOf(dataDirectory)}.taking`);
}

function nameOf(dataDirectory: string): string {
  return `content-operations-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`;
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** @returns undefined when the address is taken, by whomever. */
function listen(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}
