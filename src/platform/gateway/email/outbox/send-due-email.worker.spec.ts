import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/clock/testing';
import type { OutboxMessage } from './delivery.types.js';
import type { Capacity } from './capacity.js';
import { SendDueEmail } from './send-due-email.worker.js';

const CONCURRENCY = 16;

describe('the worker that sends due mail', () => {
  it('sends no more messages at once than it may, of thousands that are due, and all of them', async () => {
    let [due, now, most, sent] = [2_000, 0, 0, 0];
    const done = Promise.withResolvers<void>();
    const claim = ({ total }: Capacity): Promise<OutboxMessage[]> => {
      const count = Math.min(total, due);
      due -= count;
      const message = () => ({ id: randomUUID(), organizationId: 'a', isPlatform: true }) as OutboxMessage;
      return Promise.resolve(Array.from({ length: count }, message));
    };
    const deliver = async (): Promise<object> => {
      most = Math.max(most, (now += 1));
      await new Promise(setImmediate);
      now -= 1;
      return { kind: 'withheld' };
    };
    const record = (): Promise<void> => {
      if ((sent += 1) === 2_000) done.resolve();
      return Promise.resolve();
    };
    const worker = new SendDueEmail(
      { claim } as never,
      { deliver, abort: () => undefined } as never,
      { record } as never,
      { concurrency: CONCURRENCY, pollMs: 60_000, leaseMs: 60_000 } as never,
      new FixedClock(),
    );
    worker.onApplicationBootstrap();
    await done.promise;
    await worker.beforeApplicationShutdown();
    expect(most).toBe(CONCURRENCY);
  });
});
