import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from './child-environment.js';

const PORTS = [
  'API_PORT',
  'API_MANAGEMENT_PORT',
  'IDENTITY_PORT',
  'IDENTITY_MANAGEMENT_PORT',
  'GATEWAY_PORT',
  'GATEWAY_MANAGEMENT_PORT',
  'SANDBOX_PORT',
  'SANDBOX_MAIL_PORT',
  'SANDBOX_PAYMENTS_PORT',
  'WORKER_MANAGEMENT_PORT',
] as const;

const READY = 'Everything runs.';

/** A separate folder and ports, in which the built product is started. */
export class Machine {
  private readonly running = new Set<EmbeddedStart>();

  private constructor(
    readonly folder: string,
    readonly ports: Readonly<Record<(typeof PORTS)[number], number>>,
  ) {}

  static async make(): Promise<Machine> {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-start-'));
    return new Machine(folder, await freePorts());
  }

  /** As `npm start -- …args` does after preparing; `environment` is added to this machine's ports. */
  start(
    args: readonly string[] = [],
    environment: Readonly<Record<string, string>> = {},
    entry = join(process.cwd(), 'dist/local/main.js'),
  ): EmbeddedStart {
    const { HOME, TMPDIR } = process.env;
    const ports = Object.fromEntries(Object.entries(this.ports).map(([name, port]) => [name, String(port)]));
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: this.folder,
      env: { ...childEnvironment(), HOME, TMPDIR, ...ports, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const start = new EmbeddedStart(child);
    this.running.add(start);
    return start;
  }

  async tearDown(): Promise<void> {
    for (const start of this.running) await start.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** One start and what it printed. */
export class EmbeddedStart {
  output = '';
  private readonly exited: Promise<unknown>;

  constructor(readonly process: ChildProcess) {
    this.exited = once(process, 'close');
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  /** Resolves when the summary is printed. @throws Error with the output when it ends before. */
  async ready(): Promise<this> {
    while (!this.output.includes(READY)) {
      if (this.process.exitCode !== null)
        throw new Error(`It ended with ${this.process.exitCode}:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this;
  }

  /** @returns the exit status, null when a signal ended it. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal && this.process.exitCode === null) this.process.kill(signal);
    await this.exited;
    return this.process.exitCode;
  }
}

/** Below the ports that systems give to `listen(0)`: no other test takes them while this machine does not run. */
const RANGE = { from: 10_000, to: 32_000 };

async function freePorts(): Promise<Record<(typeof PORTS)[number], number>> {
  const taken = new Set<number>();
  while (taken.size < PORTS.length) {
    const port = randomInt(RANGE.from, RANGE.to);
    if (await canListen(port)) taken.add(port);
  }
  const ports = [...taken];
  return Object.fromEntries(PORTS.map((name, index) => [name, ports[index]])) as Record<
    (typeof PORTS)[number],
    number
  >;
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
