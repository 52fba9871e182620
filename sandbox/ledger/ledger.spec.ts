import { Ledger } from './ledger.js';

const effect = (text: string, at = '2026-01-01T00:00:00.000Z') => ({
  network: 'x',
  kind: 'post.created',
  at,
  account: { id: '1', username: 'acme' },
  id: text,
  text,
  inReplyTo: null,
  host: 'api',
  token: 'abc',
  hints: {},
});

const ledgerOf = (capacity: number) => new Ledger(capacity, { append: () => undefined });

describe('the ledger', () => {
  it('counts texts, and names those that came more than once', () => {
    const ledger = ledgerOf(100);
    for (const text of ['a', 'b', 'a', '__proto__', 'constructor']) ledger.record(effect(text));
    const counts = ledger.counts({});
    expect(counts).toMatchObject({ accepted: 5, distinct: 4, repeated: { a: 2 } });
    expect(counts.texts['__proto__']).toBe(1);
    expect(counts.texts['constructor']).toBe(1);
  });

  it.each([
    [{ text: 'a' }, ['a']],
    [{ contains: 'b' }, ['ab']],
    [{ account: 'ACME', since: '2026-01-02T00:00:00.000Z' }, ['ab']],
    [{ account: '2' }, []],
    [{ after: 1 }, ['ab']],
    [{ network: 'linkedin' }, []],
  ])('filters by %j', (filter, expected) => {
    const ledger = ledgerOf(100);
    ledger.record(effect('a'));
    ledger.record(effect('ab', '2026-01-02T00:00:00.000Z'));
    expect([...ledger.matching(filter)].map(({ text }) => text)).toEqual(expected);
  });

  it('drops the oldest when it is full, and reports that', () => {
    const ledger = ledgerOf(100);
    for (let index = 0; index < 1_000; index++) ledger.record(effect(String(index)));
    expect(ledger.size).toBeLessThanOrEqual(110);
    expect(ledger.size + ledger.forgotten).toBe(1_000);
    expect([...ledger.matching({})].at(-1)?.sequence).toBe(1_000);
  });

  it('goes on counting where the restored one ended', () => {
    const before = ledgerOf(100);
    before.record(effect('a'));
    const after = ledgerOf(100);
    for (const record of before.snapshot()) after.restore(record);
    expect(after.record(effect('b')).sequence).toBe(2);
    expect([...after.matching({})].map(({ text }) => text)).toEqual(['a', 'b']);
  });
});
