import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface ChildOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Besides PATH, HOME and TMPDIR, nothing else is handed on. */
  readonly environment: Readonly<Record<string, string>>;
  /** What it prints once it can be used. */
  readonly ready: string;
}

/** Longer than any graceful shutdown. */
const STOP_MS = 15_000;

const living = new Set<Child>();
process.once('exit', () => {
  for (const child of living) child.kill();
});

/** Stops processes that a failed line left running. */
export async function stopChildren(): Promise<void> {
  await Promise.all([...living].map((child) => child.stop()));
}

/** A process of the product, as it is deployed, that never outlives the benchmark. */
export class Child {
  /** The end of its output. */
  output = '';
  private readonly ended: Promise<unknown>;

  private constructor(private readonly process: ChildProcess) {
    this.ended = once(process, 'close').finally(() => living.delete(this));
    living.add(this);
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on(
        'data',
        (chunk: Buffer) => (this.output = `${this.output}${chunk.toString()}`.slice(-8_000)),
      );
    }
  }

  /**
   * Resolves when it is ready. @throws Error with its output when it ends before.
   * @param entry below the folder of the build, such as `src/worker.js`
   */
  static async start(entry: string, { args = [], cwd, environment, ready }: ChildOptions): Promise<Child> {
    const { PATH, HOME, TMPDIR } = process.env;
    const child = new Child(
      spawn(
        process.execPath,
        [
          ...['--import', import.meta.resolve('./end-with-parent.js')],
          ...[fileURLToPath(new URL(`../../${entry}`, import.meta.url)), ...args],
        ],
        { cwd, env: { PATH, HOME, TMPDIR, ...environment }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
      ),
    );
    await child.has(ready);
    return child;
  }

  /** CPU time used so far, in milliseconds, of all its threads. Does not depend on other load. Linux only; elsewhere NaN. */
  cpuMilliseconds(): number {
    try {
      const stat = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8');
      // Behind the name in parentheses: utime and stime are fields 14 and 15, in ticks of 10 ms.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      return Number.NaN;
    }
  }

  /** In order; by force when that takes too long. */
  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    const force = setTimeout(() => this.kill(), STOP_MS);
    await this.ended;
    clearTimeout(force);
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }

  private has(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.output.includes(text)) resolve();
      };
      this.process.stdout?.on('data', look);
      const end = () => reject(new Error(`It ended before it was ready:\n${this.output}`));
      void this.ended.then(end, reject);
    });
  }
}
