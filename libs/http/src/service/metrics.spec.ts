import { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

describe('the page of metrics', () => {
  const metrics = new Metrics();
  const gauge = (name: string) => new Gauge({ name, help: 'A sample.', registers: [metrics.registry] });
  const [due, late, alone] = [gauge('due'), gauge('late'), gauge('alone')];
  let read = (): Promise<readonly [number, number]> => Promise.resolve([3, 2]);

  beforeAll(() => {
    // The one that is set is registered later, and written earlier, than its neighbour.
    metrics.collect('posts', [late, due], async () => {
      const [dueNow, lateNow] = await read();
      due.set(dueNow);
      late.set(lateNow);
    });
    metrics.collect('else', [alone], () => Promise.resolve(alone.set(7)));
  });

  it('shows the values of now, the first time too', async () => {
    expect((await metrics.page()).split('\n')).toEqual(
      expect.arrayContaining(['due 3', 'late 2', 'alone 7']),
    );
    read = () => Promise.resolve([5, 4]);
    expect((await metrics.page()).split('\n')).toEqual(expect.arrayContaining(['due 5', 'late 4']));
  });

  it.each([
    ['fails', () => Promise.reject(new Error('The database is gone.'))],
    ['never ends', () => new Promise<never>(() => undefined)],
  ])('is there when a collection %s: without its values, but counting that', async (_how, broken) => {
    const failures = (lines: readonly string[]) => {
      const line = lines.find((one) =>
        one.startsWith('metrics_collection_failures_total{collection="posts"}'),
      );
      return Number(line?.split(' ')[1]);
    };
    const before = failures((await metrics.page()).split('\n'));
    read = broken;
    const lines = (await metrics.page()).split('\n');
    expect(lines.filter((line) => /^(due|late|alone) /.test(line))).toEqual(['alone 7']);
    expect(failures(lines)).toBe(before + 1);
    read = () => Promise.resolve([5, 4]);
  });

  it('asks once for pages that are wanted at the same time', async () => {
    const own = new Metrics();
    let [asked, answer] = [0, () => {}];
    own.collect('slow', [], () => {
      asked += 1;
      return new Promise((resolve) => (answer = resolve));
    });
    const pages = Promise.all([own.page(), own.page()]);
    answer();
    await pages;
    expect(asked).toBe(1);
    const again = own.page();
    answer();
    await again;
    expect(asked).toBe(2);
  });
});
