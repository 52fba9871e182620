import type { Result } from './line.js';

/** One row per result, columns as wide as they need to be. */
export function printTable(results: readonly Result[]): void {
  const header = ['what', 'against', 'seen', 'goal', '', 'spread'];
  const rows = results.map((result) => [
    result.what,
    result.against,
    result.value,
    result.goal,
    result.met ? 'met' : 'MISSED',
    result.note ?? '',
  ]);
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);
  }
}
