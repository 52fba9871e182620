import { createServer } from 'node:net';
import { allVariablesOf, type Environment, loadConfig } from '#libs/config';
import { processConfigOf } from '#libs/http';
import { SERVICES } from '../src/services.js';
import { EmbeddedConfig } from './embedded.config.js';
import { startsHere } from './environments.js';
import { usesSandbox } from './networks.js';
import { Refusal } from './refusal.js';

const MANY = 20_000;
const HIGHEST = 65_535;
/** Host of the sandbox, independent of HOST. */
const LOOPBACK = '127.0.0.1';

interface RequiredPort {
  /** Name of the variable. */
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/** Checks the ports of all parts before anything starts. */
export async function assertPortsUsable(given: Environment, config: EmbeddedConfig): Promise<void> {
  const seen = new Map<number, string>();
  for (const wanted of requiredPorts(given, config)) {
    const { name, port } = wanted;
    const other = seen.get(port);
    seen.set(port, name);
    if (port === 0)
      throw new Refusal(`${name} is 0, but the parts must know each other's ports. Choose one.`);
    if (other)
      throw new Refusal(
        `${other} and ${name} are both ${port}. Choose another one: ${alternativeFor(wanted)}`,
      );
    const error = await tryToListen(wanted);
    if (error) throw refusalFor(error, wanted);
  }
}

/** Without the ports of parts that run elsewhere. */
function requiredPorts(given: Environment, config: EmbeddedConfig): RequiredPort[] {
  const { host } = config;
  const ofServices = SERVICES.filter((service) => startsHere(given, service)).flatMap((service) => {
    const { port, managementPort } = loadConfig(processConfigOf(service), given);
    return [
      ...(service.port ? [{ name: service.port.variable, port: port ?? service.port.default, host }] : []),
      { name: service.managementPort.variable, port: managementPort, host },
    ];
  });
  if (!usesSandbox(given)) return ofServices;
  const ofSandbox = allVariablesOf(EmbeddedConfig)
    .filter(({ name }) => name.endsWith('_PORT'))
    .map(({ name, property }) => ({
      name,
      host: LOOPBACK,
      port: config[property as keyof EmbeddedConfig] as number,
    }));
  return [...ofServices, ...ofSandbox];
}

/** The refusal with a remedy; the error itself if none is known. */
export function refusalFor(error: NodeJS.ErrnoException, wanted: RequiredPort): Error {
  const { port, host } = wanted;
  switch (error.code) {
    case 'EADDRINUSE':
      return new Refusal(
        `Port ${port} is in use. Stop what uses it, or choose another one: ${alternativeFor(wanted)}`,
      );
    case 'EACCES':
      return new Refusal(
        `The system lets no program of yours use port ${port}. Choose another one: ${alternativeFor(wanted)}`,
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

const alternativeFor = ({ name, port }: RequiredPort) =>
  `${name}=${port + MANY > HIGHEST ? port - MANY : port + MANY} npm start`;

/** A port that is unused now. */
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

function tryToListen({ port, host }: RequiredPort): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
