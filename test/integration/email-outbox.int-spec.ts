import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/clock/testing';
import { OutboxStore } from '../../src/platform/gateway/email/outbox/outbox.store.js';
import type { OutboxMessage } from '../../src/platform/gateway/email/outbox/delivery.types.js';
import type { Capacity } from '../../src/platform/gateway/email/outbox/capacity.js';
import { EmailSweep } from '../../src/platform/gateway/email/retention.sweep.js';
import { SendDueEmail } from '../../src/platform/gateway/email/outbox/send-due-email.worker.js';
import { setting } from '#libs/config/testing';
import { EmailConfig } from '../../src/platform/gateway/email/email.config.js';
import { EmailWorld, newAddress, statesOf } from '../support/email-world.js';
import { RowLock } from '../support/row-lock.js';
import { waitUntil } from '../support/wait-until.js';

const SENT = { position: 0, state: 'sent', code: '2.0.0', detail: null } as const;
const LONG_MS = 60_000;
const capacity = (total: number): Capacity => ({
  total,
  platform: total,
  own: total,
  ofOne: total,
  busy: [],
});

describe('the outbox of mail', () => {
  let world: EmailWorld;
  let store: OutboxStore;

  describe('of two replicas', () => {
    beforeAll(async () => {
      world = await EmailWorld.start();
      await world.gateway.replica();
    });
    afterAll(() => world.stop());

    it('sends each of many messages of several organizations once', async () => {
      const owners = await Promise.all(Array.from({ length: 4 }, () => world.service()));
      const messages = await Promise.all(
        Array.from({ length: 80 }, async (_, index) => {
          const headers = owners[index % owners.length] ?? {};
          return { headers, ...(await world.send(headers)) } as {
            headers: Record<string, string>;
            id: string;
          };
        }),
      );
      for (const { headers, id } of messages) await world.settled(headers, id);

      const accepted = (await world.mail.accepted()).map(({ text }) => text);
      expect(accepted).toHaveLength(80);
      expect(new Set(accepted).size).toBe(80);
    });

    it('does not send again when an outcome could not be stored at first', async () => {
      const { database } = world.gateway.test;
      await database.query(`CREATE SEQUENCE failures;
        CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF nextval('failures') <= 2 THEN RAISE EXCEPTION 'lost'; END IF; RETURN new; END $$;
        CREATE TRIGGER fail_twice BEFORE UPDATE ON gateway.email_recipient FOR EACH ROW
          WHEN (new.state = 'sent') EXECUTE FUNCTION fail_twice()`);
      const headers = await world.service();
      const address = newAddress();
      const message = await world.sendAndSettle(headers, { to: [{ address }] });
      await database.query('DROP TRIGGER fail_twice ON gateway.email_recipient');

      expect(statesOf(message)).toEqual({ [address]: 'sent' });
      expect(await world.timesAccepted(message, address)).toBe(1);
    });
  });

  describe('as rows', () => {
    let headers: Record<string, string>;

    beforeAll(async () => {
      world = await EmailWorld.start('smtp', { EMAIL_CONCURRENCY: '1' }, [
        setting(EmailConfig, { pollMs: 60_000 }),
      ]);
      // It would claim the rows of the tests.
      await world.gateway.service.app.get(SendDueEmail, { strict: false }).beforeApplicationShutdown();
      store = new OutboxStore(world.gateway.test.database);
    });
    afterAll(() => world.stop());

    /** A queued message that the process of this test does not send. */
    const queued = async (
      organizationId: string = randomUUID(),
      addresses = ['held@example.com'],
    ): Promise<string> => {
      headers = await world.service(organizationId);
      const { id } = await world.send(headers, { to: addresses.map((address) => ({ address })) });
      return id as string;
    };
    const claimed = async (id: string, leaseMs = LONG_MS): Promise<OutboxMessage> => {
      const { database } = world.gateway.test;
      await database.query(
        `UPDATE gateway.email_message SET due_at = CASE WHEN id = $1 THEN now() END, attempt_id = NULL, data_at = NULL`,
        [id],
      );
      const [message] = await store.claim(capacity(10), leaseMs);
      if (message?.id !== id) throw new Error('It was not claimed.');
      return message;
    };
    const stateOf = async (id: string) => (await world.read(headers, id)).recipients[0].state as string;

    it('are claimed by one process until the lease ends', async () => {
      await claimed(await queued());
      expect(await store.claim(capacity(10), LONG_MS)).toEqual([]);
    });

    it('let no process write that lost its claim', async () => {
      const id = await queued();
      const frozen = await claimed(id, 0);
      const [other] = await store.claim(capacity(10), LONG_MS);
      expect(other?.id).toBe(id);
      expect(await store.beginData(frozen, [0], null, randomUUID())).toBe(false);
      expect(await store.renew(frozen, LONG_MS)).toBe(false);
      expect(await store.record(frozen, [{ ...SENT, state: 'queued' }], null, 0)).toEqual([]);
      expect(await stateOf(id)).toBe('queued');
    });

    it('keep the late answer of a process that was taken over', async () => {
      const id = await queued();
      const slow = await claimed(id, LONG_MS);
      await store.beginData(slow, [0], null, randomUUID());
      await world.gateway.test.database.query(
        'UPDATE gateway.email_message SET due_at = now() WHERE id = $1',
        [id],
      );
      const [other] = await store.claim(capacity(10), LONG_MS);
      expect(other).toMatchObject({ id, dataAt: expect.any(Date), recipients: [{ state: 'sending' }] });
      if (other) await store.record(other, [{ ...SENT, state: 'uncertain' }], null, 0);
      expect(await stateOf(id)).toBe('uncertain');
      await store.record(slow, [SENT], null, 0);
      expect(await stateOf(id)).toBe('sent');
    });

    it('change once when the answer to COMMIT was lost and the outcome is stored again', async () => {
      const id = await queued();
      const message = await claimed(id);
      await store.beginData(message, [0], null, randomUUID());
      expect(await store.record(message, [SENT], null, 0)).toEqual([{ position: 0, state: 'sent' }]);
      expect(await store.record(message, [SENT], null, 0)).toEqual([]);
      const { history } = await world.read(headers, id);
      expect(history.filter(({ state }: { state: string }) => state === 'sent')).toHaveLength(1);
    });

    it('are due after a recipient is queued again while the outcome of another one is stored', async () => {
      const id = await queued(randomUUID(), ['ada@example.com', 'bob@example.com']);
      const first = await claimed(id);
      await store.beginData(first, [0, 1], null, randomUUID());
      const results = [
        { ...SENT, state: 'uncertain' },
        { ...SENT, position: 1, state: 'queued' },
      ] as const;
      await store.record(first, results, null, 0);
      const [second] = await store.claim(capacity(10), LONG_MS);
      if (second?.id !== id) throw new Error('It was not claimed.');
      await store.beginData(second, [1], null, randomUUID());

      // The resolution holds the message until its audit is stored.
      const lock = await RowLock.by(world.gateway.test, 'LOCK TABLE gateway.audit IN SHARE MODE', []);
      const resolution = world.http
        .post(`/api/email/messages/${id}/resolve`)
        .set(world.admin(headers['x-organization-id'] ?? ''))
        .send({ delivered: false })
        .expect(200)
        .then(() => 'resolved');
      await lock.waitedFor();
      const recording = store.record(second, [{ ...SENT, position: 1 }], null, 0).then(() => 'recorded');
      expect(await lock.meanwhile([resolution, recording])).toEqual(['resolved', 'recorded']);

      expect(await store.claim(capacity(10), LONG_MS)).toMatchObject([
        { id, recipients: [{ state: 'queued' }, { state: 'sent' }] },
      ]);
    });

    it('are taken from each organization in turn, so that one with many does not delay another', async () => {
      const [many, few] = [randomUUID(), randomUUID()];
      const ids = [];
      for (let n = 0; n < 5; n += 1) ids.push(await queued(many));
      const last = await queued(few);
      await world.gateway.test.database.query(
        `UPDATE gateway.email_message SET attempt_id = NULL, data_at = NULL,
           due_at = CASE WHEN organization_id = $1 THEN now() - interval '1 hour' WHEN organization_id = $2 THEN now() END`,
        [many, few],
      );
      const batch = await store.claim(capacity(2), LONG_MS);
      expect(batch.map(({ organizationId }) => organizationId).sort()).toEqual([many, few].sort());
      expect(batch.map(({ id }) => id)).toContain(last);
      expect(ids).toContain(batch.find(({ organizationId }) => organizationId === many)?.id);
    });

    it('are sent in turn by the time that organizations used, so that a slow mail server does not delay others', async () => {
      const [slow, fast] = [randomUUID(), randomUUID()];
      for (const owner of [slow, slow, slow, fast, fast, fast]) await queued(owner);
      await world.gateway.test.database.query(
        `UPDATE gateway.email_message SET attempt_id = NULL, data_at = NULL,
           due_at = CASE WHEN organization_id = $1 THEN now() - interval '1 hour' WHEN organization_id = $2 THEN now() END`,
        [slow, fast],
      );
      const clock = new FixedClock();
      const sent: string[] = [];
      const deliver = ({ organizationId }: OutboxMessage) => {
        sent.push(organizationId === slow ? 'slow' : 'fast');
        clock.advance(organizationId === slow ? 30_000 : 100);
        return Promise.resolve({ kind: 'results', results: [SENT] });
      };
      const worker = new SendDueEmail(
        store,
        { deliver, abort: () => undefined } as never,
        { record: (message: OutboxMessage) => store.record(message, [SENT], null, 0) } as never,
        { concurrency: 1, pollMs: 20, leaseMs: LONG_MS } as never,
        clock,
      );
      worker.onApplicationBootstrap();
      await waitUntil(() => sent.length === 6);
      await worker.beforeApplicationShutdown();
      expect(sent).toEqual(['slow', 'fast', 'fast', 'fast', 'slow', 'slow']);
    });

    it('are taken from an organization of which none is sent now, when there is room for one', async () => {
      const [many, few] = [randomUUID(), randomUUID()];
      for (const owner of [many, many, few]) await queued(owner);
      await world.gateway.test.database.query(
        `UPDATE gateway.email_message SET attempt_id = NULL, data_at = NULL,
           due_at = CASE WHEN organization_id = $1 THEN now() - interval '1 hour' WHEN organization_id = $2 THEN now() END`,
        [many, few],
      );
      const busy = [{ organizationId: many, isPlatform: true, messages: 1 }];
      expect(await store.claim({ ...capacity(1), busy }, LONG_MS)).toMatchObject([{ organizationId: few }]);
      expect(await store.claim({ ...capacity(1), busy }, LONG_MS)).toMatchObject([{ organizationId: many }]);
    });

    it('are not taken beyond the room for one organization and for one kind of credential', async () => {
      const [slow, other] = [randomUUID(), randomUUID()];
      for (const owner of [slow, slow, slow, other, other, other]) await queued(owner);
      await world.gateway.test.database.query(
        `UPDATE gateway.email_message SET attempt_id = NULL, data_at = NULL, is_platform = organization_id = $2,
           due_at = CASE WHEN organization_id = $1 THEN now() - interval '1 hour' WHEN organization_id = $2 THEN now() END`,
        [slow, other],
      );
      const claimOf = async (limits: Partial<Capacity>) =>
        (await store.claim({ ...capacity(10), ...limits }, LONG_MS)).map(
          ({ organizationId }) => organizationId,
        );

      const sending = (messages: number) => [{ organizationId: slow, isPlatform: false, messages }];
      const full = { own: 5, ofOne: 2, busy: sending(2) };
      expect(await claimOf({ ...full, platform: 1 })).toEqual([other]);
      expect(await claimOf({ own: 5, ofOne: 2, busy: sending(1), platform: 0 })).toEqual([slow]);
      expect(await claimOf({ own: 1, platform: 1 })).toEqual(expect.arrayContaining([slow, other]));
      expect(await claimOf({})).toEqual(expect.arrayContaining([slow, other]));
    });

    it('lose their texts after the configured days, and keep recipients and states', async () => {
      const id = await queued();
      const { database } = world.gateway.test;
      await database.query(
        `WITH sent AS (UPDATE gateway.email_recipient SET state = 'sent' WHERE message_id = $1)
         UPDATE gateway.email_message SET due_at = NULL, created_at = now() - interval '31 days' WHERE id = $1`,
        [id],
      );
      await world.gateway.service.app.get(EmailSweep, { strict: false }).tick();
      const [row] = await database.query(
        'SELECT text, html, headers, body_deleted_at IS NOT NULL AS gone FROM gateway.email_message WHERE id = $1',
        [id],
      );
      expect(row).toEqual({ text: null, html: null, headers: {}, gone: true });
      expect(await world.read(headers, id)).toMatchObject({ recipients: [{ address: 'held@example.com' }] });
    });
  });
});
