import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import {
  type Aggregate,
  type DomainEvent,
  EventStore,
  Reactions,
  type RecordedEvent,
  Stream,
} from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** The previous release with two event types, both in their first version. */
const old: Aggregate<null, DomainEvent> = {
  streamType: 'thing',
  initial: null,
  evolve: () => null,
  eventTypes: { ThingMade: true, ThingMoved: true },
};
/** The release that is rolled out: one type more, and another version of one. */
const newer: Aggregate<null, DomainEvent> = {
  ...old,
  eventTypes: { ...old.eventTypes, ThingPainted: true },
  upcasters: { ThingMoved: [(data: object) => ({ ...data, by: 'hand' })] },
};

describe('a reaction during a rolling release', () => {
  let test: TestDatabase;
  let stores: Record<'old' | 'newer', EventStore>;
  let handled: string[];
  const started: Reactions[] = [];

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    test = await createTestDatabase();
    await test.database.query('CREATE TABLE tally (events int NOT NULL)');
    stores = { old: new EventStore(test.database), newer: new EventStore(test.database) };
    new Stream(test.database, stores.old, old);
    new Stream(test.database, stores.newer, newer);
    handled = [];
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((reactions) => reactions.stop()));
    await test.drop();
  });

  const start = (release: 'old' | 'newer'): Reactions => {
    const reactions = new Reactions(test.database, stores[release]);
    const handle = (_: Transaction, events: RecordedEvent[]): Promise<void> =>
      Promise.resolve(void handled.push(...events.map(({ type }) => `${type} by ${release}`)));
    const quick = { backoffMs: 1, tries: 2, leaseMs: 60_000, maxPollMs: 10 };
    reactions.register({ name: 'tally', tables: ['public.tally'], handle }, quick);
    reactions.start();
    started.push(reactions);
    return reactions;
  };
  const append = (release: 'old' | 'newer', ...types: string[]) =>
    test.database.transaction((transaction) =>
      stores[release].append(transaction, {
        stream: randomUUID(),
        streamType: 'thing',
        expected: 'none',
        events: types.map((type) => ({ type, data: {} })),
        metadata: anEventMetadata(),
      }),
    );
  const status = async () => (await new Reactions(test.database, stores.old).status())[0];
  const fence = async () =>
    (await test.database.query<{ fence: string }>('SELECT fence FROM events.reaction'))[0]?.fence;
  const minutesAgo = (minutes: number) =>
    test.database.query(
      `UPDATE events.reaction SET unreadable_since = clock_timestamp() - make_interval(mins => $1)`,
      [minutes],
    );

  it.each(['ThingMoved', 'ThingPainted'])(
    'goes on by the newer replica at a %s that the old one cannot read, and by the old one after it',
    async (type) => {
      start('old');
      await append('newer', 'ThingMade', type);
      await eventually(async () =>
        expect(await status()).toMatchObject({ state: 'running', unreadable: expect.stringContaining(type) }),
      );
      expect(handled).toEqual(['ThingMade by old']);

      const replica = start('newer');
      await eventually(async () => expect(await status()).toMatchObject({ state: 'running', lagEvents: 0 }));
      expect(handled).toEqual(['ThingMade by old', `${type} by newer`]);
      expect(await status()).not.toHaveProperty('unreadable');

      await replica.stop();
      await append('old', 'ThingMade');
      await eventually(() => Promise.resolve(expect(handled.at(-1)).toBe('ThingMade by old')));
    },
  );

  it('is not taken again by the replica that cannot read the event', async () => {
    await append('newer', 'ThingPainted');
    const replica = start('old');
    await eventually(async () => expect(await status()).toHaveProperty('unreadable'));
    const before = await fence();
    replica.wake();
    await append('newer', 'ThingPainted');
    const other = start('old');
    await eventually(async () => expect(await fence()).toBe(String(Number(before) + 1)));
    await other.stop();
    await replica.stop();
    expect(await fence()).toBe(String(Number(before) + 1));
  });

  it('stops when no replica could read the event for minutes, and resumes by itself once one can', async () => {
    start('old');
    await append('newer', 'ThingPainted');
    await eventually(async () => expect(await status()).toHaveProperty('unreadable'));
    await minutesAgo(4);
    expect(await status()).toMatchObject({ state: 'running', unreadableSeconds: expect.any(Number) });
    await minutesAgo(6);
    expect(await status()).toMatchObject({
      state: 'stopped',
      error: expect.stringMatching(/does not know the event ThingPainted/),
    });

    const another = start('old');
    await another.stop();
    expect(await status()).toMatchObject({ state: 'stopped' });

    start('newer');
    await eventually(async () => expect(await status()).toMatchObject({ state: 'running', lagEvents: 0 }));
    expect(handled).toEqual(['ThingPainted by newer']);
  });

  it('waits from the first replica that met the event, not from the last', async () => {
    start('old');
    await append('newer', 'ThingPainted');
    await eventually(async () => expect(await status()).toHaveProperty('unreadable'));
    await minutesAgo(6);
    start('old');
    await eventually(async () => expect(await fence()).toBe('2'));
    expect(await status()).toMatchObject({ state: 'stopped' });
  });
});
