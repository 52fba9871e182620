/** Something done again and again by several workers at once; `amount` is how much one call did. */
export interface Contender {
  readonly name: string;
  /** Before each repetition: same starting conditions for all. */
  prepare?(): Promise<void>;
  /** @returns how many units were done. */
  work(worker: number): Promise<number>;
}

export interface Timing {
  readonly workers: number;
  readonly repetitions: number;
  readonly warmUpMs: number;
  readonly durationMs: number;
}

export interface Rate {
  /** Units per second, median of the repetitions. */
  readonly median: number;
  readonly all: readonly number[];
}

/**
 * Rates of all contenders, interleaved inside each repetition, so that whatever the machine does meanwhile is shared.
 */
export async function compare(contenders: readonly Contender[], timing: Timing): Promise<Map<string, Rate>> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let repetition = 0; repetition < timing.repetitions; repetition += 1) {
    for (const contender of contenders) {
      await contender.prepare?.();
      rates.get(contender.name)?.push(await rateOf(contender, timing));
    }
  }
  return new Map([...rates].map(([name, all]) => [name, { median: median(all), all }]));
}

async function rateOf(contender: Contender, { workers, warmUpMs, durationMs }: Timing): Promise<number> {
  const start = performance.now() + warmUpMs;
  const end = start + durationMs;
  let done = 0;
  const worker = async (number: number) => {
    while (performance.now() < end) {
      const amount = await contender.work(number);
      const now = performance.now();
      if (now >= start && now < end) done += amount;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, number) => worker(number)));
  return (done / durationMs) * 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) throw new RangeError('No values.');
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** @param share 0.99 for the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * The ratio of two contenders measured together: median of the ratios repetition by repetition, with their range.
 */
export function ratio(
  rates: Map<string, Rate>,
  ours: string,
  theirs: string,
): { ratio: number; note: string } {
  const mine = rates.get(ours)?.all ?? [];
  const other = rates.get(theirs)?.all ?? [];
  const ratios = mine.map((rate, index) => rate / (other[index] ?? Number.NaN));
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  return { ratio: median(ratios), note: `${low.toFixed(2)} to ${high.toFixed(2)}` };
}
