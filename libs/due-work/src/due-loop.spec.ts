import { setTimeout as sleep } from 'node:timers/promises';
import { DueLoop } from './due-loop.js';

const loops: DueLoop[] = [];
function started(
  run: () => Promise<number>,
  options: { pollMs?: number; onError?: (error: unknown) => void },
) {
  const loop = new DueLoop({ run, onError: () => undefined, ...options });
  loops.push(loop);
  loop.start();
  return loop;
}

describe('a loop over due work', () => {
  afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.stop())));

  it('runs again at once while work is due, then sleeps', async () => {
    const answers = [0, 0, 0, Infinity];
    let runs = 0;
    started(() => Promise.resolve(answers[runs++] ?? Infinity), { pollMs: 60_000 });
    while (runs < 4) await sleep(5);
    await sleep(30);
    expect(runs).toBe(4);
  });

  it('wakes at the next due time, even if the poll interval is longer', async () => {
    let runs = 0;
    started(() => Promise.resolve(runs++ ? Infinity : 20), { pollMs: 60_000 });
    while (runs < 2) await sleep(5);
    await sleep(30);
    expect(runs).toBe(2);
  });

  it('never sleeps longer than the poll interval', async () => {
    let runs = 0;
    started(() => Promise.resolve((runs++, 3_600_000)), { pollMs: 10 });
    while (runs < 4) await sleep(5);
  });

  it('runs once more when woken during a run', async () => {
    let runs = 0;
    const loop = started(
      async () => {
        runs += 1;
        await sleep(15);
        return Infinity;
      },
      { pollMs: 60_000 },
    );
    loop.wake();
    while (runs < 2) await sleep(5);
    await sleep(60);
    expect(runs).toBe(2);
  });

  it('continues after a failure and reports it', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const run = () => (runs++ ? Promise.resolve(Infinity) : Promise.reject(new Error('once')));
    started(run, { pollMs: 5, onError: (error) => errors.push(error) });
    while (runs < 2) await sleep(5);
    expect(errors).toEqual([new Error('once')]);
  });

  it('waits for the current run when stopped, and starts no other', async () => {
    let finished = 0;
    const loop = started(async () => {
      await sleep(30);
      finished += 1;
      return 0;
    }, {});
    await sleep(5);
    await loop.stop();
    expect(finished).toBe(1);
    await sleep(50);
    expect(finished).toBe(1);
  });
});
