import { baseUrlOf } from '#libs/http';

/** Addresses of the parts, without a trailing slash. */
export interface Addresses {
  readonly api: string;
  readonly identity: string;
  readonly gateway: string;
  readonly sandbox: string;
  /** The payment provider of the sandbox, or the real one. */
  readonly payments: string;
}

/** Callable addresses for wildcard hosts. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The local address of a part that listens on `host`. */
export function addressOf(host: string, port: number): string {
  return baseUrlOf(LOOPBACK_OF[host] ?? host, port);
}
