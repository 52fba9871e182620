import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../local/ports.js';
import { Child } from '../support/child.js';
import { atMost, type Line } from '../support/line.js';
import { median } from '../support/measure.js';

const PORTS = [
  ...['API_PORT', 'API_MANAGEMENT_PORT', 'IDENTITY_PORT', 'IDENTITY_MANAGEMENT_PORT'],
  ...['SANDBOX_PORT', 'SANDBOX_PAYMENTS_PORT', 'SANDBOX_MAIL_PORT', 'WORKER_MANAGEMENT_PORT'],
];

/** Everything on one machine, installed and built: from the command to the screen that says how to sign in. */
export const start: Line = {
  name: 'start',
  async run(bench) {
    const folder = await mkdtemp(join(bench.folder, 'start-'));
    const environment = { DATA_DIR: join(folder, '.data'), ...(await freePorts()) };
    const first = await secondsToStart(folder, environment);
    const later: number[] = [];
    for (let n = 0; n < bench.repetitions; n += 1) later.push(await secondsToStart(folder, environment));
    const note = `${later.map((seconds) => seconds.toFixed(1)).join(', ')}; the very first ${first.toFixed(1)}`;
    return [
      atMost(3, 's', { what: 'start of everything until ready', against: '-', value: median(later), note }),
    ];
  },
};

async function secondsToStart(cwd: string, environment: Record<string, string>): Promise<number> {
  const begun = performance.now();
  const child = await Child.start('local/main.js', { cwd, environment, ready: 'Everything runs.' });
  const seconds = (performance.now() - begun) / 1000;
  await child.stop();
  return seconds;
}

async function freePorts(): Promise<Record<string, string>> {
  const ports = new Set<number>();
  while (ports.size < PORTS.length) ports.add(await freePort());
  return Object.fromEntries([...ports].map((port, index) => [PORTS[index] ?? '', String(port)]));
}
