import { type Clock, SystemClock } from '#libs/clock';
import { type Environment, loadConfig, processEnvironment } from '#libs/config';
import { controlSites } from './control/control.site.js';
import { SANDBOX_CLIENT, type SandboxClient } from './credentials.js';
import { FaultRegistry } from './faults/fault-registry.js';
import { SandboxFiles } from './files.js';
import { Journal } from './ledger/journal.js';
import { CallCounter } from './ledger/answered-calls.js';
import { Ledger } from './ledger/ledger.js';
import { SANDBOX_NETWORKS } from './networks/networks.js';
import type { OutsideService, SandboxContext } from './outside-service.js';
import { SandboxConfig } from './sandbox.config.js';
import { SandboxServer } from './server.js';

export interface RunningSandbox {
  /** Without a slash at the end. */
  readonly url: string;
  /** Closes every connection. Accepted changes are on disk when it resolves. */
  readonly stop: () => Promise<void>;
}

export interface SandboxOptions {
  /** Instead of SANDBOX_PORT. */
  readonly port?: number;
  /** The clock of the networks, for tokens and rate-limit windows. */
  readonly clock?: Clock;
  /** Instead of SANDBOX_CLIENT. */
  readonly client?: SandboxClient;
}

/** Effects and posts kept in memory; the oldest are dropped first. */
const MAX_EFFECTS = 200_000;

/** Starts the outside world on loopback. @throws ConfigIsInvalid, or the error of listening when the port is taken. */
export async function startSandbox(
  environment: Environment = processEnvironment(),
  { port, clock = new SystemClock(), client = SANDBOX_CLIENT }: SandboxOptions = {},
): Promise<RunningSandbox> {
  const config = loadConfig(SandboxConfig, environment);
  const mainPort = port ?? config.port;
  const world = worldOf(config, clock, client, mainPort);
  const { journal, ledger, files } = world;
  const services = SANDBOX_NETWORKS.map((start) => start(world));
  const server = serverOf(services, world);
  const url = await server.listen(mainPort, config.host);
  const closeAll = async (): Promise<void> => {
    await server.close();
    for (const service of services) await service.close?.();
  };
  try {
    await journal.open([...services.flatMap(({ persistent }) => persistent), ledger]);
    for (const service of services) await service.open(url);
  } catch (error) {
    await closeAll();
    throw error;
  }
  server.startAnswering();
  return {
    url,
    async stop() {
      await closeAll();
      journal.close();
      files.close();
    },
  };
}

function worldOf(config: SandboxConfig, clock: Clock, client: SandboxClient, mainPort: number) {
  const journal = new Journal(config.data, config.durable);
  return {
    config,
    clock,
    journal,
    ledger: new Ledger(MAX_EFFECTS, journal),
    files: new SandboxFiles(config.data),
    faults: new FaultRegistry(),
    calls: new CallCounter(),
    client: { ...client, redirectUris: config.redirectUris },
    capacity: MAX_EFFECTS,
    host: config.host,
    ownPort: (configured: number): number => (mainPort === 0 ? 0 : configured),
  };
}

function serverOf(
  services: readonly OutsideService[],
  { ledger, journal, files, clock, faults, calls }: SandboxContext,
): SandboxServer {
  const networkSites = services.flatMap(({ sites }) => sites);
  const ownSites = services.flatMap((service) => service.ownSites ?? []);
  const controls = controlSites({
    ledger,
    calls,
    faults,
    networkSites: [...networkSites, ...ownSites],
    networkRoutes: services.flatMap(({ controlRoutes }) => controlRoutes),
    accounts: () => services.flatMap((service) => service.accountCards()),
    sections: () => services.flatMap((service) => service.indexSection?.() ?? []),
    now: () => clock.now(),
    reset() {
      for (const part of [faults, ledger, calls, ...services]) part.clear();
      journal.startOver();
    },
  });
  return new SandboxServer([...networkSites, ...controls], faults, ledger, files, clock, calls);
}

/** For the entry file: runs until a signal. */
export async function runSandbox(): Promise<void> {
  try {
    const sandbox = await startSandbox();
    process.stdout.write(`The sandbox listens on ${sandbox.url}\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
  } catch (error) {
    process.stderr.write(
      `The sandbox does not run. ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
