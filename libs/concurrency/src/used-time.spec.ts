import { UsedTime } from './used-time.js';

describe('turns by the time that was used', () => {
  let now = 0;
  const used = new UsedTime(() => now);
  const work = (user: string, ms: number) => {
    const { end } = used.begin(user);
    now += ms;
    end();
  };

  it('give one with short work many turns for one long work of another', () => {
    work('long', 10_000);
    const turns: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      work('short', 100);
      turns.push(used.leastFirst()[0] ?? '');
    }
    expect(new Set(turns)).toEqual(new Set(['short']));
  });

  it('put running work behind that of one who has none', () => {
    const ends = [used.begin('new'), used.begin('new')];
    expect(used.leastFirst()).toEqual(['new', 'short', 'long']);
    now += 20_000;
    expect(used.leastFirst()).toEqual(['short', 'long', 'new']);
    for (const { end } of [...ends, ...ends]) end();
    expect(used.leastFirst()).toEqual(['short', 'long', 'new']);
  });

  it('forget what was used long ago', () => {
    now += 600_000;
    work('short', 1_000);
    expect(used.leastFirst()).toEqual(['long', 'new', 'short']);
  });

  it('do not count the time before a restart', () => {
    const { restart, end } = used.begin('waited');
    now += 30_000;
    restart();
    end();
    expect(used.leastFirst()[0]).toBe('waited');
  });

  it('remember a bounded number of users', () => {
    for (let user = 0; user < 3_000; user += 1) work(`u${user}`, 1);
    expect(used.leastFirst().length).toBeLessThanOrEqual(1_001);
  });
});
