import { Logger } from '@nestjs/common';
import { PeriodicSweep } from './index.js';

class SampleSweep extends PeriodicSweep {
  begun = 0;
  parts = 0;
  private go: () => void = () => undefined;

  constructor() {
    super(60_000);
  }

  async sweep(): Promise<void> {
    this.begun += 1;
    while (!this.isStopping) {
      await new Promise<void>((resolve) => (this.go = resolve));
      this.parts += 1;
    }
  }

  fail(): Promise<void> {
    return this.pass(() => Promise.reject(new Error('no')));
  }

  goOn(): void {
    this.go();
  }

  /** @param found how much each batch of 3 finds; the service shuts down during number `stop` */
  batches(found: readonly number[], stop = Infinity): Promise<number> {
    const rest = [...found];
    return this.inBatches(3, async () => {
      if (found.length - rest.length + 1 === stop) void this.beforeApplicationShutdown();
      return Promise.resolve(rest.shift() ?? 0);
    });
  }
}

describe('a periodic sweep', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('runs one pass at a time; at shutdown it waits for the running part and starts no other', async () => {
    const sweep = new SampleSweep();
    const ticks = [sweep.tick(), sweep.tick()];
    expect(sweep.begun).toBe(1);
    const order: string[] = [];
    const ended = sweep.beforeApplicationShutdown().then(() => order.push('ended'));
    await Promise.resolve();
    order.push('goes on');
    sweep.goOn();
    await Promise.all([...ticks, ended]);
    expect(order).toEqual(['goes on', 'ended']);
    await sweep.tick();
    expect([sweep.begun, sweep.parts]).toEqual([1, 1]);
  });

  it('continues with the next pass after a failed one', async () => {
    const sweep = new SampleSweep();
    await sweep.fail();
    const next = sweep.tick();
    expect(sweep.begun).toBe(1);
    const ended = sweep.beforeApplicationShutdown();
    sweep.goOn();
    await Promise.all([next, ended]);
  });

  it('repeats a batch until one is not full, or the service shuts down', async () => {
    expect(await new SampleSweep().batches([3, 3, 1, 3])).toBe(7);
    expect(await new SampleSweep().batches([3, 3, 3, 3], 2)).toBe(6);
  });

  it('ends at once when nothing runs', async () => {
    const sweep = new SampleSweep();
    await sweep.fail();
    await sweep.beforeApplicationShutdown();
  });
});
