import { baseUrlOf } from '#libs/http';

/** Where the parts are reached, without a slash at the end. */
export interface Addresses {
  readonly api: string;
  readonly identity: string;
  readonly sandbox: string;
}

/** Listening on all addresses is no address to call. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where a part that listens on `host` is called from this machine. */
export function addressOf(host: string, port: number): string {
  return baseUrlOf(LOOPBACK_OF[host] ?? host, port);
}
