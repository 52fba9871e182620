import type { Environment } from '#libs/config';
import { NETWORKS } from '../src/integrations/networks.js';

interface Sandboxed {
  readonly platform: string;
  readonly addresses: Readonly<Record<string, string>>;
  readonly gatewayAddresses?: Readonly<Record<string, string>>;
  readonly credentials: readonly string[];
}

const sandboxed = (): Sandboxed[] =>
  NETWORKS.flatMap(({ platform, connector }) => (connector ? { platform, ...connector.sandbox } : []));

/** Address variables of all networks. Networks of one company share theirs. */
export const networkAddresses = (): string[] => [
  ...new Set(sandboxed().flatMap(({ addresses }) => Object.keys(addresses))),
];

/** Client credential variables of all networks. */
export const networkCredentials = (): string[] => [
  ...new Set(sandboxed().flatMap(({ credentials }) => credentials)),
];

/** Whether the sandbox stands in for a network: its first address is not set. */
const isInSandbox = (given: Environment, { addresses }: Sandboxed): boolean =>
  !given[Object.keys(addresses)[0] ?? '']?.trim();

export const usesSandbox = (given: Environment): boolean =>
  sandboxed().some((network) => isInSandbox(given, network));

/** Addresses of the sandbox's networks for the services, and the registered client for the sandbox. */
export function sandboxedNetworks(
  set: Environment,
  sandbox: string,
  secrets: Readonly<Record<string, string>>,
  publicUrl: string,
): Environment {
  const networks = sandboxed().filter((network) => isInSandbox(set, network));
  const addresses = networks.flatMap(({ addresses: own, gatewayAddresses = {} }) =>
    Object.entries({ ...own, ...gatewayAddresses }),
  );
  const credentials = networks.flatMap((network) => network.credentials);
  const secretOf = (name: string) => secrets[name] ?? '';
  return {
    ...Object.fromEntries(addresses.map(([name, path]) => [name, sandbox + path])),
    ...Object.fromEntries(credentials.map((name) => [name, secretOf(name)])),
    ...Object.fromEntries(credentials.map((name) => [`SANDBOX_${name}`, set[name] ?? secretOf(name)])),
    SANDBOX_REDIRECT_URIS: networks
      .map(({ platform }) => `${publicUrl}/api/integrations/${platform}/callback`)
      .join(','),
  };
}

/** The origin of the first network. */
export function sandboxAddressIn(environment: Environment): string {
  return new URL(environment[networkAddresses()[0] ?? ''] ?? '').origin;
}
