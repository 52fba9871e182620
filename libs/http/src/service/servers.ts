import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** @returns the address, with the port that was taken. @throws the system's error, such as EADDRINUSE */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const taken = (server.address() as AddressInfo).port;
  return baseUrlOf(host, taken);
}

/** Addresses of IPv6 stand in brackets (RFC 3986, 3.2.2). */
export function baseUrlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const IDLE_CHECK_MS = 50;

/** Takes no new connections, lets requests in flight finish for up to `graceMs`, then cuts them. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer was under way when the closing began turns idle later and would stay open.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
