import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { DomainError } from '#libs/errors';
import { EventStore, Projections, Reactions } from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { Cards } from '../../src/pipelines/cards.stream.js';
import { cardProjection } from '../../src/pipelines/views/card.view.js';
import { pipelineProjection } from '../../src/pipelines/views/pipeline.view.js';
import {
  addStage,
  archiveStage,
  create,
  rename,
  reorderStages,
  pipelineAggregate,
} from '../../src/pipelines/domain/pipeline.js';
import { cardAggregate } from '../../src/pipelines/domain/card.js';
import { cardIdOf } from '../../src/pipelines/access/pipelines.ids.js';
import { lockCard } from '../../src/pipelines/commands/pipelines.locks.js';
import { Pipelines } from '../../src/pipelines/pipelines.stream.js';
import { aContact } from '../support/pipelines-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let test: TestDatabase;
let pipelines: Pipelines;
let cards: Cards;
let projections: Projections;
beforeAll(async () => {
  test = await createTestDatabase();
  const store = new EventStore(test.database);
  pipelines = new Pipelines(test.database, store);
  cards = new Cards(test.database, store);
  projections = new Projections(test.database, store, new Reactions(test.database, store), () => [
    { aggregate: pipelineAggregate, view: pipelineProjection },
    { aggregate: cardAggregate, view: cardProjection },
  ]);
});
afterAll(() => test.drop());

const context = anEventMetadata();
const TABLES = ['pipelines.pipeline_view', 'pipelines.stage_view', 'pipelines.card_view'];

/** All rows as text, in an order of their own. */
async function everything(): Promise<string[]> {
  const tables = await Promise.all(
    TABLES.map((table) =>
      test.database.query<{ row: string }>(`SELECT '${table} ' || t::text AS row FROM ${table} t ORDER BY 1`),
    ),
  );
  return tables.flat().map(({ row }) => row);
}

async function tolerating(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

const STAGES = 4;
const CONTACTS = 3;

/** A pipeline of a new organization and a few contacts. */
async function aBoard() {
  const [pipelineId, organizationId] = [randomUUID(), randomUUID()];
  const stages = Array.from({ length: STAGES }, (_, n) => ({
    id: randomUUID(),
    name: `Stage ${n}`,
  }));
  const pipeline = { id: pipelineId, organizationId, name: 'P', isDefault: false, stages };
  await pipelines.create(pipelineId, () => create(pipeline), context);
  const contacts: string[] = [];
  for (let n = 0; n < CONTACTS; n += 1) contacts.push(await aContact(test.database, organizationId));
  const move = (contact: number, stage: number, more: { position?: number; note?: string } = {}) => {
    const [contactId, stageId] = [contacts[contact] as string, stages[stage]?.id as string];
    return cards.move({ contactId, pipelineId, stageId, ...more, context });
  };
  return { pipelineId, stages, contacts, move };
}

const aMove = fc.record({
  contact: fc.nat(CONTACTS - 1),
  stage: fc.nat(STAGES - 1),
  position: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined }),
  note: fc.option(fc.constant('Why'), { nil: undefined }),
});

/** What one person does one after the other; several persons do theirs at the same time. */
const people = fc.array(fc.array(aMove, { maxLength: 5 }), { minLength: 1, maxLength: 4 });

describe('arbitrary concurrent moves', () => {
  it('leave every card in exactly one stage, totals that add up, and a chain of movements', async () => {
    await fc.assert(
      fc.asyncProperty(people, async (plans) => {
        const { pipelineId, stages, contacts, move } = await aBoard();
        await Promise.all(
          plans.map(async (plan) => {
            for (const { contact, stage, ...more } of plan) await move(contact, stage, more);
          }),
        );
        const rows = await test.database.query<{ contact_id: string; stage_id: string; version: number }>(
          'SELECT contact_id, stage_id, version FROM pipelines.card_view WHERE pipeline_id = $1',
          [pipelineId],
        );
        const moved = new Set(plans.flat().map(({ contact }) => contacts[contact]));
        expect(rows.map((row) => row.contact_id).toSorted()).toEqual([...moved].toSorted());
        const totals = await test.database.query<{ total: number }>(
          'SELECT count(*)::int AS total FROM pipelines.card_view WHERE stage_id = ANY($1) GROUP BY stage_id',
          [stages.map(({ id }) => id)],
        );
        expect(totals.reduce((sum, { total }) => sum + total, 0)).toBe(moved.size);
        for (const row of rows) await mustBeChained(cardIdOf(pipelineId, row.contact_id), row);
      }),
      { numRuns: 25 },
    );
  });

  it('skip cards that another transaction moves, to avoid deadlocks', async () => {
    const { pipelineId, contacts, move } = await aBoard();
    await move(0, 0, { position: 0 });
    const otherCard = cardIdOf(pipelineId, contacts[0] as string);
    const outside = AsyncLocalStorage.snapshot();
    await test.database.transaction(async (transaction) => {
      await lockCard(transaction, pipelineId, otherCard);
      // As its append does.
      await transaction.query('SELECT FROM events.stream WHERE stream = $1 FOR UPDATE', [otherCard]);
      const moved = await outside(() => move(1, 0, { position: 0 }));
      expect(moved.position).toBe(0);
    });
    const { position } = await move(2, 0, { position: 0 });
    const rows = await test.database.query<{ position: number }>(
      'SELECT position FROM pipelines.card_view WHERE pipeline_id = $1',
      [pipelineId],
    );
    // The next move makes room for all of them.
    expect(new Set(rows.map((row) => row.position)).size).toBe(3);
    expect(rows.map((row) => row.position)).toContain(position);
  });

  /** Every movement leaves the stage that the one before went to, and the card is where the last one went to. */
  async function mustBeChained(cardId: string, row: { stage_id: string; version: number }): Promise<void> {
    const { state, version } = await cards.load(cardId);
    expect([state?.stageId, version]).toEqual([row.stage_id, row.version]);
    const events = await test.database.query<{ from: string | null; to: string; note: string | null }>(
      `SELECT data->>'from' AS "from", data->>'to' AS "to", data->>'noteId' AS note FROM events.event
       WHERE stream = $1 AND type <> 'CardRepositioned' ORDER BY version`,
      [cardId],
    );
    expect(events.map(({ from }) => from)).toEqual([null, ...events.slice(0, -1).map(({ to }) => to)]);
    expect(events.at(-1)?.to).toBe(row.stage_id);
    const notes = events.flatMap(({ note }) => note ?? []);
    const kept = await test.database.query('SELECT FROM pipelines.movement_note WHERE id = ANY($1)', [notes]);
    expect(kept).toHaveLength(notes.length);
  }
});

describe('what boards are read from', () => {
  it('is byte for byte the result of a rebuild, without the cards of erased contacts', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { pipelineId, stages, contacts, move } = await aBoard();
      await move(0, 0, { position: 0.1 + 0.2, note: 'Why' });
      await move(0, 1);
      await move(1, 1, { position: -1e300 });
      await move(1, 1, { position: Number.MIN_VALUE });
      await move(2, 3, { note: 'To be forgotten' });
      const ids = stages.map(({ id }) => id);
      const added = randomUUID();
      await pipelines.change(pipelineId, () => addStage({ id: added, name: 'Added' }, 1), context);
      await pipelines.change(pipelineId, () => rename('Renamed'), context);
      await pipelines.change(pipelineId, () => reorderStages([added, ...ids.toReversed()]), context);
      await pipelines.change(pipelineId, () => archiveStage(ids[2] ?? ''), context);
      await test.database.query('UPDATE contacts.contact SET deleted_at = now() WHERE id = $1', [
        contacts[1],
      ]);
      await test.database.query('DELETE FROM contacts.contact WHERE id = $1', [contacts[2]]);
    }
    const live = await everything();
    expect(live.length).toBeGreaterThan(20);
    expect(projections.names()).toEqual(expect.arrayContaining(['pipelines', 'cards']));
    await projections.rebuild();
    expect(await everything()).toEqual(live);
    await projections.rebuild('cards');
    expect(await everything()).toEqual(live);
  });

  it('contains nothing of an erased contact, neither do its notes and the log', async () => {
    const { pipelineId, contacts, move } = await aBoard();
    await move(0, 0, { note: 'Her mother knows our director' });
    await move(0, 1, { note: 'Ada Lovelace signed' });
    const [contactId = ''] = contacts;
    const left = async () => {
      const [row] = await test.database.query<{ cards: number; notes: number; said: number }>(
        `SELECT (SELECT count(*)::int FROM pipelines.card_view WHERE contact_id = $1) AS cards,
           (SELECT count(*)::int FROM pipelines.movement_note WHERE contact_id = $1) AS notes,
           (SELECT count(*)::int FROM events.event WHERE stream = $2 AND data::text ~ 'mother|Ada') AS said`,
        [contactId, cardIdOf(pipelineId, contactId)],
      );
      return row;
    };
    expect(await left()).toEqual({ cards: 1, notes: 2, said: 0 });
    await test.database.query('DELETE FROM contacts.contact WHERE id = $1', [contactId]);
    expect(await left()).toEqual({ cards: 0, notes: 0, said: 0 });
    await projections.rebuild('cards');
    expect(await left()).toEqual({ cards: 0, notes: 0, said: 0 });
  });

  it('never shows a card of a contact that is erased while it moves', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { contacts, move } = await aBoard();
      await Promise.all([
        tolerating(() => move(0, round % STAGES, { note: 'Too late' })),
        test.database.query('DELETE FROM contacts.contact WHERE id = $1', [contacts[0]]),
      ]);
      const rows = await test.database.query(
        `SELECT id FROM pipelines.card_view WHERE contact_id = $1
         UNION ALL SELECT id FROM pipelines.movement_note WHERE contact_id = $1`,
        [contacts[0]],
      );
      expect(rows).toEqual([]);
    }
  });

  it('leaves nothing behind when the transaction of a move is rolled back', async () => {
    const { move } = await aBoard();
    const before = await everything();
    const rolledBack = test.database.transaction(async () => {
      await move(0, 0, { note: 'Never said' });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await everything()).toEqual(before);
    expect(
      await test.database.query(`SELECT FROM pipelines.movement_note WHERE text = 'Never said'`),
    ).toEqual([]);
  });
});
