import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Database, Statement } from '#libs/database';
import type { ContactRow } from '../../src/contacts/views/contact.view.js';
import { eraseFromImports } from '../../src/contacts/csv/import/erase-from-imports.js';
import { ImportLock } from '../../src/contacts/csv/import/import-lock.js';
import { type ImportSession, LOCK_LEASE } from '../../src/contacts/csv/import/import-session.js';
import { StagedRowsSweep } from '../../src/contacts/csv/import/import.sweeps.js';
import { importDirectly } from '../support/import-directly.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const FILE = 'name,email\nJana,jana@example.com\nMax,max@example.com\n,not an address\n';
const TABLES = ['import_row', 'import_plan', 'import_contact'];

const uploadOf = ({ signal }: AbortController) => ({ signal, file: { size: FILE.length } });

describe('rows of an import that are staged', () => {
  /** Without the running transaction. */
  const outside = AsyncLocalStorage.snapshot();
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    database = test.database;
  });
  afterAll(() => test.drop());

  const count = async (sql: string, values: unknown[] = []) =>
    (await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`, values))[0]?.count;
  const contacts = (organizationId: string) =>
    count('contacts.contact WHERE organization_id = $1', [organizationId]);
  const staged = (organizationId: string) =>
    Promise.all(TABLES.map((name) => count(`contacts.${name} WHERE organization_id = $1`, [organizationId])));

  /** `event` runs after the plan and before the merge. */
  function interruptedBy(event: (turn: ImportSession) => Promise<unknown>): ImportLock {
    const lock = new ImportLock(database);
    const exclusively = lock.exclusively.bind(lock);
    lock.exclusively = (organizationId, upload, work) =>
      exclusively(organizationId, upload, (turn) => {
        const merge = turn.merge.bind(turn);
        turn.merge = async (writing) => {
          await event(turn);
          return merge(writing);
        };
        return work(turn);
      });
    return lock;
  }

  /** After the last renewal, which would extend the lease again. */
  async function setLease(turn: ImportSession, fromNow: string): Promise<void> {
    await turn.stopRenewing();
    await database.query(
      `UPDATE contacts.import_lease SET lease_until = now() + $2::interval WHERE organization_id = $1`,
      [turn.organizationId, fromNow],
    );
  }

  /** As a process leaves them that dies before the merge. */
  async function leaveStaged(organizationId: string, leaseUntil: string): Promise<void> {
    const lock = interruptedBy(async (turn) => {
      turn.end = () => turn.stopRenewing();
      await setLease(turn, leaseUntil);
      throw new Error('killed');
    });
    const bring = importDirectly(database, FILE, { organizationId }, lock);
    await expect(bring).rejects.toThrow('killed');
  }

  const eraseSomeoneOf = (organizationId: string) => {
    const contact = {
      id: randomUUID(),
      organization_id: organizationId,
      name: 'Jana',
      phones: [],
      additional_emails: [],
    };
    return database.separateTransaction((transaction) =>
      eraseFromImports(transaction, contact as unknown as ContactRow),
    );
  };

  it('are removed when the import ends with any result', async () => {
    for (const rules of [{}, { dryRun: true }, { onError: 'abort' as const }]) {
      const organizationId = randomUUID();
      const during: unknown[] = [];
      const lock = interruptedBy(async () => during.push(await staged(organizationId)));
      await importDirectly(database, FILE, { organizationId, ...rules }, lock).catch(() => undefined);
      expect(during).toEqual([[3, 2, 2]]);
      expect(await staged(organizationId)).toEqual([0, 0, 0]);
    }
    expect(await count('contacts.import_lease')).toBe(0);
  });

  it('are counted before the merge, because a crash of the server empties the tables', async () => {
    for (const lost of [`DELETE FROM contacts.import_row WHERE organization_id = $1`, crash()]) {
      const organizationId = randomUUID();
      const lock = interruptedBy(() => database.query(lost, [organizationId]));
      const bring = importDirectly(database, FILE, { organizationId }, lock);
      await expect(bring).rejects.toMatchObject({ code: 'import_interrupted', kind: 'unavailable' });
      expect([await contacts(organizationId), await staged(organizationId)]).toEqual([0, [0, 0, 0]]);
    }
  });

  /** All three tables at once, of this organization. */
  function crash(): string {
    const [last, ...others] = TABLES.map((name) => `DELETE FROM contacts.${name} WHERE organization_id = $1`);
    return `WITH ${others.map((sql, at) => `d${at} AS (${sql})`).join(', ')} ${last}`;
  }

  it('are not imported when another import took the lease and has ended', async () => {
    const organizationId = randomUUID();
    const lock = interruptedBy(async (turn) => {
      await setLease(turn, '-1 hour');
      const { totals } = await importDirectly(database, FILE, { organizationId });
      expect(totals).toMatchObject({ created: 2, failed: 1 });
    });
    const bring = importDirectly(database, FILE, { organizationId }, lock);
    await expect(bring).rejects.toMatchObject({ code: 'import_running' });
    expect([await contacts(organizationId), await staged(organizationId)]).toEqual([2, [0, 0, 0]]);
  });

  it('are not imported while another import holds the lease', async () => {
    const organizationId = randomUUID();
    const [began, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let other: Promise<void> | undefined;
    const lock = interruptedBy(async (turn) => {
      await setLease(turn, '-1 hour');
      other = new ImportLock(database).exclusively(organizationId, uploadOf(new AbortController()), () => {
        began.resolve();
        return mayEnd.promise;
      });
      await began.promise;
    });
    try {
      const bring = importDirectly(database, FILE, { organizationId }, lock);
      await expect(bring).rejects.toMatchObject({ code: 'import_running' });
    } finally {
      mayEnd.resolve();
      await other;
    }
    expect([await contacts(organizationId), await staged(organizationId)]).toEqual([0, [0, 0, 0]]);
  });

  it('are deleted when the client leaves, although a statement of the import still runs', async () => {
    const organizationId = randomUUID();
    const client = new AbortController();
    const waiting = () =>
      count(
        `pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
        ['%INSERT INTO contacts.import_plan%'],
      );
    await database.separateTransaction(async (transaction) => {
      await transaction.query('LOCK TABLE contacts.contact IN ACCESS EXCLUSIVE MODE');
      const importing = outside(() =>
        importDirectly(database, FILE, { organizationId, signal: client.signal }),
      );
      const ended = expect(importing).rejects.toThrow('The client has left.');
      await waitUntil(async () => (await outside(waiting)) === 1);
      client.abort(new Error('The client has left.'));
      await ended;
      await waitUntil(async () => (await outside(waiting)) === 0);
    });
    expect(await staged(organizationId)).toEqual([0, 0, 0]);
  });

  it('of a killed process are deleted by the next import of the organization', async () => {
    const organizationId = randomUUID();
    await leaveStaged(organizationId, '-1 second');
    expect(await staged(organizationId)).toEqual([3, 2, 2]);
    await importDirectly(database, FILE, { organizationId });
    expect(await staged(organizationId)).toEqual([0, 0, 0]);
  });

  it('of a killed process are deleted by the sweep, and those of one that runs are not', async () => {
    const [dead, running] = [randomUUID(), randomUUID()];
    await leaveStaged(dead, '-2 minutes');
    await leaveStaged(running, '5 seconds');
    await new StagedRowsSweep(database).tick();
    expect([await staged(dead), await staged(running)]).toEqual([
      [0, 0, 0],
      [3, 2, 2],
    ]);
    expect(await count('contacts.import_lease WHERE organization_id = $1', [dead])).toBe(0);
  });

  it('of a killed process are deleted when a contact of the organization is erased', async () => {
    const [dead, other] = [randomUUID(), randomUUID()];
    await leaveStaged(dead, '-1 second');
    await leaveStaged(other, '-1 second');
    await eraseSomeoneOf(dead);
    expect([await staged(dead), await staged(other)]).toEqual([
      [0, 0, 0],
      [3, 2, 2],
    ]);
  });

  it('of a merging import remain, and no other import starts, also after its lease expired', async () => {
    const organizationId = randomUUID();
    const others = async () => {
      await new StagedRowsSweep(database).tick();
      await eraseSomeoneOf(organizationId);
      await expect(triesOnce(organizationId)).rejects.toThrow('It is not the turn of this import.');
    };
    const lock = interruptedBy(async (turn) => {
      await setLease(turn, '-1 hour');
      const inTransaction = turn.transaction.bind(turn);
      turn.transaction = (work) =>
        inTransaction((transaction) => {
          const query = transaction.query.bind(transaction);
          transaction.query = async <Row extends object>(
            sql: string | Statement,
            values?: readonly unknown[],
          ) => {
            const rows = await query<Row>(sql, values);
            if (sql === LOCK_LEASE) await outside(others);
            return rows;
          };
          return work(transaction);
        });
    });
    const { totals } = await importDirectly(database, FILE, { organizationId }, lock);
    expect(totals).toMatchObject({ created: 2, failed: 1 });
    expect([await contacts(organizationId), await staged(organizationId)]).toEqual([2, [0, 0, 0]]);
    expect.assertions(3);
  });

  /** Another import, which gives up after its first attempt to take the lease. */
  function triesOnce(organizationId: string): Promise<unknown> {
    const givesUp = new AbortController();
    const attempt = new ImportLock(database).exclusively(organizationId, uploadOf(givesUp), () =>
      Promise.resolve(),
    );
    givesUp.abort(new Error('It is not the turn of this import.'));
    return attempt;
  }

  it('leave no sample of a person in the planner statistics', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `Person ${n},person${n}@example.com\n`).join('');
    await importDirectly(database, `name,email\n${rows}`, { organizationId: randomUUID() });
    const sampled = await database.query<{ column: string }>(
      `SELECT DISTINCT attname AS column FROM pg_stats WHERE schemaname = 'contacts' AND tablename = ANY ($1)`,
      [TABLES],
    );
    const columns = sampled.map(({ column }) => column);
    expect(columns).toContain('first_row');
    const personal = [
      'name',
      'email',
      'email_key',
      'phones',
      'custom_fields',
      'match_key',
      'raw',
      'problems',
    ];
    expect(columns.filter((column) => personal.includes(column))).toEqual([]);
  });
});
