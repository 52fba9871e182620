import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#libs/clock';
import { Refusal } from './refusal.js';

/** Held while a start uses the data folder. */
export interface FolderClaim {
  release(): Promise<void>;
}

/** A turn lasts some milliseconds; an older turn file belongs to a killed start. */
const TURN_TIMEOUT_MS = 10_000;
const RETRY_MS = 50;
const clock = new SystemClock();

/**
 * Claims the data folder by listening on a local socket: it accepts connections exactly as long as its process lives,
 * which a file with a process number cannot promise.
 * @throws Refusal when another start holds it.
 */
export async function claim(dataDirectory: string): Promise<FolderClaim> {
  const address = addressOf(dataDirectory);
  const server = await withTurn(turnFileOf(dataDirectory), async () => {
    return (await listen(address)) ?? (await replaceStaleSocket(address));
  });
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Replaces the socket of a killed holder: it exists, but nothing listens. */
async function replaceStaleSocket(address: string): Promise<Server> {
  if (!(await isListening(address))) {
    await rm(address, { force: true });
    const server = await listen(address);
    if (server) return server;
  }
  throw new Refusal(
    'It is already running from this folder. Use that one, stop it with Ctrl-C there, or set DATA_DIR and the ports to start another.',
  );
}

/** Runs starts one after the other: two that find the same stale socket would each remove the other's new one. */
async function withTurn<T>(turn: string, work: () => Promise<T>): Promise<T> {
  while (!(await takeTurn(turn))) await sleep(RETRY_MS);
  try {
    return await work();
  } finally {
    await rm(turn, { force: true });
  }
}

async function takeTurn(turn: string): Promise<boolean> {
  try {
    await writeFile(turn, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const begun = await stat(turn).catch(() => undefined);
  if (begun && clock.now().getTime() - begun.mtimeMs > TURN_TIMEOUT_MS) await rm(turn, { force: true });
  return false;
}

/** In the temporary folder because a socket's path is limited to about 100 bytes. */
export function addressOf(dataDirectory: string): string {
  const name = nameOf(dataDirectory);
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** The file that exists while a start checks the claim. */
export function turnFileOf(dataDirectory: string): string {
  return join(tmpdir(), `${nameOf(dataDirectory)}.taking`);
}

function nameOf(dataDirectory: string): string {
  return `content-operations-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`;
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** @returns undefined when the address is in use */
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
