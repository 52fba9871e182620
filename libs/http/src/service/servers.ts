import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Connections that wait to be accepted, such as after a restart in front of which thousands of streams reconnect. Node's default is 511. The
 * kernel has a limit of its own (net.core.somaxconn, 4096 on Linux), which deploy/ raises to this.
 */
export const ACCEPT_QUEUE = 16_384;

/** @returns the address with the actual port. @throws the system's error, such as EADDRINUSE */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: ACCEPT_QUEUE }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const taken = (server.address() as AddressInfo).port;
  return baseUrlOf(host, taken);
}

/** IPv6 addresses need brackets (RFC 3986, 3.2.2). */
export function baseUrlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const IDLE_CHECK_MS = 50;

/** Accepts no new connections, waits up to `graceMs` for requests in flight, then closes their connections. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection with a response in flight becomes idle later and would stay open.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
