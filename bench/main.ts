import { lines } from './lines.js';
import { startBench } from './support/bench.js';
import type { Result } from './support/line.js';
import { printTable } from './support/table.js';

/**
 * `npm run bench` measures every line, `npm run bench -- append-one rebuild` only those named, `--quick` for a
 * fraction of the time (to see that it runs, not to believe). Ratios only: absolute numbers are the machine's.
 */
async function main(parameters: readonly string[]): Promise<void> {
  const quick = parameters.includes('--quick');
  const names = parameters.filter((parameter) => !parameter.startsWith('--'));
  const unknown = names.filter((name) => !lines.some((line) => line.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No line ${unknown.join(', ')}. There are: ${lines.map((line) => line.name).join(', ')}.`,
    );
  }
  const bench = await startBench(quick ? { repetitions: 2, scale: 0.2 } : { repetitions: 5, scale: 1 });
  const results: Result[] = [];
  try {
    for (const line of lines) {
      if (names.length > 0 && !names.includes(line.name)) continue;
      process.stderr.write(`${line.name} …\n`);
      results.push(...(await line.run(bench)));
    }
  } finally {
    await bench.stop();
    printTable(results);
  }
}

await main(process.argv.slice(2));
