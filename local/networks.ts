import { type Environment, isSet } from '#libs/config';
import { SANDBOX_CLIENT } from '../sandbox/credentials.js';
import { NETWORKS } from '../src/integrations/networks.js';

interface Sandboxed {
  readonly platform: string;
  readonly addresses: Readonly<Record<string, string>>;
  readonly gatewayAddresses?: Readonly<Record<string, string>>;
  readonly credentials: readonly [id: string, secret?: string];
}

const sandboxed = (): Sandboxed[] =>
  NETWORKS.flatMap(({ platform, connector }) => (connector ? { platform, ...connector.sandbox } : []));

/** Address variables of all networks. Networks of one company share theirs. */
export const networkAddresses = (): string[] => [
  ...new Set(sandboxed().flatMap(({ addresses }) => Object.keys(addresses))),
];

/** Whether the sandbox stands in for a network: its first address is not set. */
const isInSandbox = (given: Environment, { addresses }: Sandboxed): boolean =>
  !isSet(given, Object.keys(addresses)[0] ?? '');

export const usesSandbox = (given: Environment): boolean =>
  sandboxed().some((network) => isInSandbox(given, network));

/** Of the networks in the sandbox: the credentials of the app that is registered there. */
export const sandboxClients = (given: Environment): Environment =>
  Object.fromEntries(
    sandboxed()
      .filter((network) => isInSandbox(given, network))
      .flatMap(({ credentials: [id, secret] }): [string, string][] => [
        [id, SANDBOX_CLIENT.id],
        ...(secret === undefined ? [] : [[secret, SANDBOX_CLIENT.secret] as [string, string]]),
      ]),
  );

/** Client credential variables of all networks. */
export const networkCredentials = (): string[] => Object.keys(sandboxClients({}));

/** Addresses of the networks in the sandbox for the services, and of the product for the sandbox. */
export function sandboxedNetworks(set: Environment, sandbox: string, publicUrl: string): Environment {
  const networks = sandboxed().filter((network) => isInSandbox(set, network));
  const addresses = networks.flatMap(({ addresses: own, gatewayAddresses = {} }) =>
    Object.entries({ ...own, ...gatewayAddresses }),
  );
  return {
    ...Object.fromEntries(addresses.map(([name, path]) => [name, sandbox + path])),
    SANDBOX_REDIRECT_URIS: networks
      .map(({ platform }) => `${publicUrl}/api/integrations/${platform}/callback`)
      .join(','),
  };
}

/** The origin of the first network. */
export function sandboxAddressIn(environment: Environment): string {
  return new URL(environment[networkAddresses()[0] ?? ''] ?? '').origin;
}
