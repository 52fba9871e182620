import { createServer } from 'node:net';
import type { Environment } from '#libs/config';
import { variablesOf } from '#libs/config';
import { EmbeddedConfig } from './embedded.config.js';
import { startsIdentity, startsSandbox } from './environments.js';
import { Refusal } from './refusal.js';

const MANY = 20_000;
const HIGHEST = 65_535;
/** The sandbox listens here, whatever HOST is. */
const LOOPBACK = '127.0.0.1';

interface Wanted {
  /** Of the variable. */
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/**
 * Looks at the ports of what is to be started, before anything is, so that nothing has to be taken down again.
 * @throws Refusal
 */
export async function refuseUnusablePorts(given: Environment, config: EmbeddedConfig): Promise<void> {
  const seen = new Map<number, string>();
  for (const wanted of portsWanted(given, config)) {
    const { name, port } = wanted;
    const other = seen.get(port);
    seen.set(port, name);
    if (port === 0)
      throw new Refusal(`${name} is 0, but the parts must know each other's ports. Choose one.`);
    if (other)
      throw new Refusal(`${other} and ${name} are both ${port}. Choose another one: ${anotherFor(wanted)}`);
    const error = await tryToListen(wanted);
    if (error) throw refusalOf(error, wanted);
  }
}

/** Not those of parts that run elsewhere: somebody may well use them here. */
function portsWanted(given: Environment, config: EmbeddedConfig): Wanted[] {
  return variablesOf(EmbeddedConfig)
    .filter(({ name }) => name.endsWith('_PORT'))
    .filter(({ name }) => startsIdentity(given) || !name.startsWith('IDENTITY_'))
    .filter(({ name }) => startsSandbox(given) || !name.startsWith('SANDBOX_'))
    .map(({ name, property }) => ({
      name,
      port: config[property as keyof EmbeddedConfig] as number,
      host: name.startsWith('SANDBOX_') ? LOOPBACK : config.host,
    }));
}

/** What keeps from listening there, as a person can mend it; the error itself where nobody knows. */
export function refusalOf(error: NodeJS.ErrnoException, wanted: Wanted): Error {
  const { port, host } = wanted;
  switch (error.code) {
    case 'EADDRINUSE':
      return new Refusal(
        `Port ${port} is in use. Stop what uses it, or choose another one: ${anotherFor(wanted)}`,
      );
    case 'EACCES':
      return new Refusal(
        `The system lets no program of yours use port ${port}. Choose another one: ${anotherFor(wanted)}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Refusal(
        `HOST is ${host}, which is no address of this machine. Set one that is, or unset it.`,
      );
    default:
      return error;
  }
}

const anotherFor = ({ name, port }: Wanted) =>
  `${name}=${port + MANY > HIGHEST ? port - MANY : port + MANY} npm start`;

/** A port that nothing uses at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(0, LOOPBACK, resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No address.');
  return address.port;
}

function tryToListen({ port, host }: Wanted): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
