import { type Environment, loadConfig } from '#libs/config';
import { baseUrlOf, HttpConfig, processConfigOf, type ServiceDeclaration } from '#libs/http';

/** Addresses of the parts by slug, without a trailing slash; empty for a part that does not run. */
export interface Addresses extends Readonly<Record<string, string>> {
  readonly api: string;
  readonly identity: string;
  readonly gateway: string;
  readonly sandbox: string;
  /** The payment provider of the sandbox, or the real one. */
  readonly payments: string;
}

/** Callable addresses for wildcard hosts. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The local addresses of a service for an environment. */
export function addressesOf(
  service: ServiceDeclaration,
  environment: Environment,
): { readonly url: string; readonly managementUrl: string } {
  const { host } = loadConfig(HttpConfig, environment);
  const { port = 0, managementPort } = loadConfig(processConfigOf(service), environment);
  const at = (each: number) => baseUrlOf(LOOPBACK_OF[host] ?? host, each);
  return { url: at(port), managementUrl: at(managementPort) };
}
