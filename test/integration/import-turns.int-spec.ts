import { randomUUID } from 'node:crypto';
import { ImportLock } from '../../src/contacts/csv/import/import-lock.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const [SMALL, LARGE] = [1_000, 10_000_000];

describe('imports of several organizations in one process', () => {
  let test: TestDatabase;
  let lock: ImportLock;
  /** The imports that began, in this order. Each lasts until it is ended. */
  let began: string[];
  let ends: Map<string, () => void>;
  let all: Promise<unknown>[];
  let isOver: boolean;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());
  beforeEach(() => {
    lock = new ImportLock(test.database);
    [began, ends, all, isOver] = [[], new Map(), [], false];
  });
  afterEach(async () => {
    isOver = true;
    for (const end of ends.values()) end();
    await Promise.allSettled(all);
  });

  function begin(name: string, size: number, organizationId: string = randomUUID()): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const upload = { signal: new AbortController().signal, file: { size } };
    const imported = lock.exclusively(organizationId, upload, () => {
      if (isOver) return Promise.resolve();
      began.push(name);
      ends.set(name, resolve);
      return promise;
    });
    imported.catch(() => undefined);
    all.push(imported);
    return imported;
  }
  const begun = (...names: string[]) => waitUntil(() => names.every((name) => began.includes(name)));

  it('leave places for others when one organization sends many files', async () => {
    const sender = randomUUID();
    for (let n = 0; n < 8; n += 1) void begin(`of the sender ${n}`, LARGE, sender);
    for (const name of ['one', 'two', 'three']) void begin(name, SMALL);
    await begun('of the sender 0', 'one', 'two', 'three');
    expect(began.toSorted()).toEqual(['of the sender 0', 'one', 'three', 'two']);
  });

  it('leave a place for small files when many organizations send large ones', async () => {
    for (let n = 0; n < 6; n += 1) void begin(`large ${n}`, LARGE);
    await waitUntil(() => began.length === 3);
    for (const name of ['one', 'two', 'three']) {
      const imported = begin(name, SMALL);
      await begun(name);
      ends.get(name)?.();
      await imported;
    }
    expect(began.slice(3)).toEqual(['one', 'two', 'three']);
  });

  it('begin with the organization whose imports took the least time', async () => {
    const busy = randomUUID();
    const before = begin('before', SMALL, busy);
    await begun('before');
    ends.get('before')?.();
    await before;
    const running = ['one', 'two', 'three', 'four'];
    for (const name of running) void begin(name, SMALL);
    await begun(...running);
    void begin('of the busy one', SMALL, busy);
    void begin('of the other one', SMALL);
    ends.get('one')?.();
    await begun('of the other one');
    expect(began).not.toContain('of the busy one');
    ends.get('two')?.();
    await begun('of the busy one');
  });
});
