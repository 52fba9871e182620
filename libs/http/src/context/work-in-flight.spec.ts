import { WorkInFlight } from './work-in-flight.js';

describe('work in flight', () => {
  it('is waited for, also what begins meanwhile and what fails', async () => {
    const work = new WorkInFlight();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const order: string[] = [];
    const begun = work
      .track(first.promise)
      .finally(() => void work.track(second.promise).catch(() => undefined));
    const ended = work.ended(60_000).then(() => order.push('ended'));
    first.resolve();
    await begun;
    order.push('first');
    second.reject(new Error('no'));
    await ended;
    expect(order).toEqual(['first', 'ended']);
  });

  it('is waited for within a limit', async () => {
    const work = new WorkInFlight();
    void work.track(new Promise(() => undefined));
    await work.ended(1);
  });

  it('needs no wait when there is none', async () => {
    await new WorkInFlight().ended(60_000);
  });
});
