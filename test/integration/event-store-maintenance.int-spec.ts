import { randomUUID } from 'node:crypto';
import { EventStore } from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { rebuildProjections, report } from '../../src/operator/rebuild-projections.js';
import { renumberEvents } from '../../src/operator/renumber-events.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the maintenance commands', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    const store = new EventStore(test.database);
    const events = [{ type: 'SomethingElse', data: {} }];
    const request = {
      stream: randomUUID(),
      streamType: 'other',
      expected: 'none',
      events,
      metadata: anEventMetadata(),
    } as const;
    await test.database.transaction((transaction) => store.append(transaction, request));
  });
  afterAll(() => test.drop());

  it('rebuild every view and reaction of the product, with nothing but the address of the database', async () => {
    const rebuilt = await rebuildProjections(undefined, test.environment);
    const names = rebuilt.map(({ name }) => name);
    const declared = [
      'brands',
      'cards',
      'content-ops.audit',
      'content-ops.daily-rollup',
      'pipelines',
      'posts',
    ];
    expect(names.toSorted()).toEqual(declared);
  });

  it('rebuild one by name, and list all names for an unknown one', async () => {
    expect(await rebuildProjections('content-ops.daily-rollup', test.environment)).toHaveLength(1);
    await expect(rebuildProjections('nonsense', test.environment)).rejects.toThrow(
      /content-ops\.daily-rollup/,
    );
  });

  it('renumber the log', async () => {
    expect(await renumberEvents(test.environment)).toBe(1);
    const events = await test.database.query('SELECT transaction_id::text AS id, position FROM events.event');
    expect(events).toEqual([{ id: '0', position: '1' }]);
  });

  it('print the result of a rebuild', () => {
    expect(report({ name: 'a', kind: 'view', count: 3 })).toBe('a: rebuilt from 3 streams.');
    expect(report({ name: 'b', kind: 'reaction', count: 3, differences: 0 })).toBe(
      'b: is what its 3 events give.',
    );
    expect(report({ name: 'b', kind: 'reaction', count: 3, differences: 2 })).toMatch(
      /2 rows differ.*Nothing was changed/,
    );
  });
});
