import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from './refusal.js';

/** Held while a start uses the data folder. */
export interface Claim {
  release(): Promise<void>;
}

/**
 * Claims the data folder by listening on a local socket: it answers exactly as long as its process lives,
 * which a file with a process number cannot promise.
 * @throws Refusal when another start holds it.
 */
export async function claim(dataDirectory: string): Promise<Claim> {
  const address = addressOf(dataDirectory);
  const server = (await listen(address)) ?? (await takeOver(address));
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

/** In the temporary folder because a socket's path is limited to about 100 bytes. */
export function addressOf(dataDirectory: string): string {
  const name = `content-operations-${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
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
