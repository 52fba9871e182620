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
  if (await answers(address)) {
    throw new Refusal(
      'It is already running from this folder. Use that one, stop it with Ctrl-C there, or set DATA_DIR and the ports to start another.',
    );
  }
  if (process.platform !== 'win32') await rm(address, { force: true });
  const server = await listen(address);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** In the temporary folder because a socket's path is limited to about 100 bytes. */
function addressOf(dataDirectory: string): string {
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

function listen(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(address, () => resolve(server));
  });
}
