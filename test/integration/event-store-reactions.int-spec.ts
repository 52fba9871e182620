import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import {
  EventStore,
  type Reaction,
  type ReactionOptions,
  Reactions,
  type RecordedEvent,
} from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

describe('reactions', () => {
  let test: TestDatabase;
  let store: EventStore;
  const started: Reactions[] = [];

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    test = await createTestDatabase();
    await test.database.query('CREATE TABLE tally (events int NOT NULL)');
    await test.database.query('INSERT INTO tally VALUES (0)');
    store = new EventStore(test.database);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((reactions) => reactions.stop()));
    await test.drop();
  });

  async function append(count: number): Promise<void> {
    const events = Array.from({ length: count }, (_, n) => ({ type: 'ThingHappened', data: { n } }));
    const request = {
      stream: randomUUID(),
      streamType: 'thing',
      expected: 'none',
      events,
      metadata: anEventMetadata(),
    } as const;
    await test.database.transaction((tx) => store.append(tx, request));
  }
  const n = (event: RecordedEvent) => (event.data as { n: number }).n;
  const tally = async () =>
    (await test.database.query<{ events: number }>('SELECT events FROM tally'))[0]?.events;
  const count = async (tx: Transaction, events: RecordedEvent[]) => {
    await tx.query('UPDATE tally SET events = events + $1', [events.length]);
  };
  const quick: Partial<ReactionOptions> = { backoffMs: 5, tries: 3, leaseMs: 300 };
  function start(handle: Reaction['handle'], options: Partial<ReactionOptions> = {}): Reactions {
    const reactions = new Reactions(test.database, store);
    reactions.register({ name: 'tally', tables: ['public.tally'], handle }, { ...quick, ...options });
    reactions.start();
    started.push(reactions);
    return reactions;
  }
  const state = async (reactions: Reactions) => (await reactions.status())[0];

  it.each([0, 3])(
    'count each event once though the process is killed (-9) between effect and checkpoint, after %i batches',
    async (before) => {
      await append(100);
      const script = join(process.cwd(), 'test/integration/event-store-killed-reaction.mjs');
      const child = spawn(process.execPath, [script, JSON.stringify(test.settings), String(before)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await tally()).toBe(before * 10);
      start(count);
      await eventually(async () => expect(await tally()).toBe(100));
      await append(5);
      await eventually(async () => expect(await tally()).toBe(105));
    },
  );

  it('go on with the next event after one that failed once', async () => {
    const seen: number[] = [];
    let failed = false;
    start(async (tx, events) => {
      if (!failed && events.some((event) => n(event) === 7)) {
        failed = true;
        throw new Error('once');
      }
      seen.push(...events.map(n));
      await count(tx, events);
    });
    await append(12);
    await eventually(async () => expect(await tally()).toBe(12));
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('undo the effect of a batch that fails, and stop loudly at the event to blame, with everything before it done', async () => {
    const poison = async (tx: Transaction, events: RecordedEvent[]) => {
      await count(tx, events);
      if (events.some((event) => n(event) === 7)) throw new Error('cannot digest 7');
    };
    const reactions = start(poison);
    await append(12);
    await eventually(async () => expect((await state(reactions))?.state).toBe('stopped'));
    expect(await state(reactions)).toMatchObject({
      lagEvents: 5,
      error: expect.stringMatching(/ThingHappened.*cannot digest 7/),
    });
    expect(await tally()).toBe(7);
    await append(1);
    await sleep(100);
    expect(await tally()).toBe(7);

    await reactions.stop();
    const repaired = start(count);
    await eventually(async () => expect(await tally()).toBe(13));
    expect(await state(repaired)).toMatchObject({ state: 'running', lagEvents: 0 });
    expect(await state(repaired)).not.toHaveProperty('error');
  });

  it('are worked on by one replica at a time; another takes over when it stops', async () => {
    const by: string[] = [];
    const replica = (name: string) =>
      start(async (tx, events) => {
        by.push(name);
        await count(tx, events);
      });
    const first = replica('first');
    await append(3);
    await eventually(async () => expect(await tally()).toBe(3));
    replica('second');
    await append(3);
    await eventually(async () => expect(await tally()).toBe(6));
    expect(new Set(by)).toEqual(new Set(['first']));
    await first.stop();
    await append(3);
    await eventually(async () => expect(await tally()).toBe(9));
    expect(by.at(-1)).toBe('second');
  });

  it('refuse the checkpoint of a replica that slept past its lease', async () => {
    let frozen: (() => void) | undefined;
    const slept = new Promise<void>((resolve) => (frozen = resolve));
    let first = true;
    start(async (tx, events) => {
      if (first) {
        first = false;
        await slept;
      }
      await count(tx, events);
    });
    await append(4);
    await eventually(() => Promise.resolve(expect(first).toBe(false)));
    start(count);
    await eventually(async () => expect(await tally()).toBe(4));
    frozen?.();
    await sleep(100);
    await append(1);
    await eventually(async () => expect(await tally()).toBe(5));
  });

  it('when stopped, wait for the batch in flight', async () => {
    let handed = false;
    const reactions = start(async (tx, events) => {
      handed = true;
      await sleep(150);
      await count(tx, events);
    });
    await append(4);
    await eventually(() => Promise.resolve(expect(handed).toBe(true)));
    await reactions.stop();
    expect(await tally()).toBe(4);
    await append(4);
    await sleep(100);
    expect(await tally()).toBe(4);
  });

  it('go on after their connections were cut', async () => {
    start(count);
    await append(2);
    await eventually(async () => expect(await tally()).toBe(2));
    await test.database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await append(2).catch(() => append(2));
    await eventually(async () => expect(await tally()).toBe(4));
  });

  it.each(['53100', '40P01', '57014', '58030', '25006'])(
    'wait for a database that answers %s, and blame no event',
    async (sqlstate) => {
      let refusals = 5;
      const refused = async (tx: Transaction, events: RecordedEvent[]) => {
        if (refusals-- > 0)
          await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '${sqlstate}'; END $$`);
        await count(tx, events);
      };
      const reactions = start(refused, { tries: 1, maxPollMs: 10 });
      await append(3);
      await waitUntil(async () => (await tally()) === 3);
      expect(await state(reactions)).toMatchObject({ state: 'running' });
    },
  );

  it('reduce the batch size when the database has not enough time or memory', async () => {
    const bounded = async (tx: Transaction, events: RecordedEvent[]) => {
      if (events.length > 7)
        await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '57014'; END $$`);
      await count(tx, events);
    };
    await append(60);
    const reactions = start(bounded, { tries: 1, maxPollMs: 10 });
    await waitUntil(async () => (await tally()) === 60);
    expect(await state(reactions)).toMatchObject({ state: 'running' });
  });

  it('reduce the batch size when a batch takes longer than their lease, and so progress', async () => {
    const slow = async (tx: Transaction, events: RecordedEvent[]) => {
      await sleep(events.length * 40);
      await count(tx, events);
    };
    await append(60);
    for (const _ of ['one replica', 'another']) start(slow, { leaseMs: 400, maxPollMs: 20 });
    await waitUntil(async () => (await tally()) === 60, 120_000);
  });

  it('receive upcast events, or stored ones on request', async () => {
    await append(1);
    const later = new EventStore(test.database);
    later.upcasters.register({ ThingHappened: [({ n: old }: { n: number }) => ({ n: old + 1000 })] });
    const reactions = new Reactions(test.database, later);
    const seen: Record<string, number[]> = { stored: [], current: [] };
    for (const reads of ['stored', 'current'] as const) {
      const handle = (_: Transaction, events: RecordedEvent[]) =>
        Promise.resolve(void seen[reads]?.push(...events.map(n)));
      reactions.register({ name: reads, tables: ['public.tally'], reads, handle });
    }
    started.push(reactions);
    reactions.start();
    await eventually(() => Promise.resolve(expect(seen).toEqual({ stored: [0], current: [1000] })));
  });
});
