import { Logger } from '@nestjs/common';
import { PeriodicSweep } from './index.js';

class SampleSweep extends PeriodicSweep {
  begun = 0;
  parts = 0;
  private go: () => void = () => undefined;

  tick(): Promise<void> {
    return this.pass(async () => {
      this.begun += 1;
      while (!this.isStopping) {
        await new Promise<void>((resolve) => (this.go = resolve));
        this.parts += 1;
      }
    });
  }

  fail(): Promise<void> {
    return this.pass(() => Promise.reject(new Error('no')));
  }

  goOn(): void {
    this.go();
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

  it('ends at once when nothing runs', async () => {
    const sweep = new SampleSweep();
    await sweep.fail();
    await sweep.beforeApplicationShutdown();
  });
});
