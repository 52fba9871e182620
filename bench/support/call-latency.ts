import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { Child } from './child.js';
import { median, percentile } from './measure.js';

/** One way to the same provider. */
export interface Way {
  readonly name: string;
  readonly pool: Pool;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Its own process, whose CPU time is counted. */
  readonly process?: Child;
  /** Found in the response as soon as it has content. */
  readonly content: RegExp;
}

export interface Load {
  readonly callers: number;
  readonly repetitions: number;
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** Callers begin spread over this time, because callers that begin together would queue for each other. */
  readonly spreadMs: number;
}

export interface Latency {
  /** Milliseconds, of each repetition. */
  readonly p50: readonly number[];
  readonly p99: readonly number[];
  readonly calls: number;
  /** Milliseconds of the way's own process. */
  readonly cpu: number;
}

/** Times until the first content, interleaved like `compare`. */
export async function latencies(ways: readonly Way[], load: Load): Promise<Map<string, Latency>> {
  const found = new Map(ways.map(({ name }) => [name, { p50: [], p99: [], calls: 0, cpu: 0 }]));
  for (let repetition = 0; repetition < load.repetitions; repetition += 1) {
    for (const way of ways) {
      const before = way.process?.cpuMilliseconds() ?? 0;
      const { times, calls } = await timesOf(way, load);
      if (times.length === 0)
        throw new Error(`No call of ${way.name} was measured. The machine is too busy.`);
      const latency = found.get(way.name) as Mutable;
      latency.p50.push(percentile(times, 0.5));
      latency.p99.push(percentile(times, 0.99));
      latency.calls += calls;
      latency.cpu += (way.process?.cpuMilliseconds() ?? 0) - before;
    }
  }
  return found;
}

interface Mutable {
  p50: number[];
  p99: number[];
  calls: number;
  cpu: number;
}

async function timesOf(
  way: Way,
  { callers, warmUpMs, durationMs, spreadMs }: Load,
): Promise<{ times: number[]; calls: number }> {
  const start = performance.now() + warmUpMs;
  const end = start + durationMs;
  const times: number[] = [];
  let calls = 0;
  const caller = async (number: number): Promise<void> => {
    await sleep((number * spreadMs) / callers);
    while (performance.now() < end) {
      const began = performance.now();
      const milliseconds = await firstContent(way);
      calls += 1;
      if (began >= start && began + milliseconds < end) times.push(milliseconds);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
  return { times, calls };
}

/** @throws Error for anything but 200, and for a response without content */
export async function firstContent({ pool, path, headers, body, content }: Way): Promise<number> {
  const began = performance.now();
  const response = await pool.request({ method: 'POST', path, headers, body });
  let milliseconds: number | null = null;
  let text = '';
  for await (const chunk of response.body) {
    text += String(chunk);
    if (milliseconds === null && content.test(text)) milliseconds = performance.now() - began;
  }
  if (response.statusCode !== 200 || milliseconds === null)
    throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 500)}`);
  return milliseconds;
}

/** How much later one way answers than another: median of the differences repetition by repetition, with their range. */
export function addedBy(
  found: ReadonlyMap<string, Latency>,
  ours: string,
  direct: string,
  share: 'p50' | 'p99' = 'p50',
): { value: number; note: string } {
  const [mine, other] = [found.get(ours)?.[share] ?? [], found.get(direct)?.[share] ?? []];
  const added = mine.map((each, index) => each - (other[index] ?? Number.NaN));
  return { value: median(added), note: added.map((each) => each.toFixed(1)).join(', ') };
}
