import { loadavg, availableParallelism } from 'node:os';
import { lines } from './lines.js';
import { type Bench, startBench } from './support/bench.js';
import { stopChildren } from './support/child.js';
import { Interrupted, interruption } from './support/interruption.js';
import { failed, type Line, type Result } from './support/line.js';
import { printTable } from './support/table.js';

/**
 * `npm run bench` measures every line, `npm run bench -- append-one rebuild` only those named, `--quick` for a
 * fraction of the time (to see that it runs, not to believe). Ratios only: absolute numbers are the machine's.
 * Ends with 1 when a line could not be measured; a missed goal is a result.
 */
async function main(parameters: readonly string[]): Promise<void> {
  const quick = parameters.includes('--quick');
  const wanted = linesNamed(parameters.filter((parameter) => !parameter.startsWith('--')));
  const interrupted = interruption();
  warnAboutLoad();
  const results: Result[] = [];
  const bench = await startBench(quick ? { repetitions: 2, scale: 0.2 } : { repetitions: 5, scale: 1 });
  try {
    for (const line of wanted) {
      process.stderr.write(`${line.name} …\n`);
      results.push(...(await Promise.race([measured(line, bench), interrupted])));
    }
  } finally {
    await stopChildren();
    await bench.stop();
    printTable(results);
  }
}

/** A failed line does not stop the others. */
async function measured(line: Line, bench: Bench): Promise<Result[]> {
  try {
    return await line.run(bench);
  } catch (error) {
    process.stderr.write(`${line.name} could not be measured: ${String(error)}\n`);
    process.exitCode = 1;
    return [failed(line.name)];
  }
}

function linesNamed(names: readonly string[]): readonly Line[] {
  const unknown = names.filter((name) => !lines.some((line) => line.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No line ${unknown.join(', ')}. There are: ${lines.map((line) => line.name).join(', ')}.`,
    );
  }
  return names.length > 0 ? lines.filter((line) => names.includes(line.name)) : lines;
}

/** Warns about other load, which distorts durations and ratios between processes. */
function warnAboutLoad(): void {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  process.stderr.write(`Load before the start: ${load.toFixed(1)} on ${cores} cores.\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Interrupted ? error.message : String(error)}\n`);
  process.exit(error instanceof Interrupted ? error.exitCode : 1);
}
