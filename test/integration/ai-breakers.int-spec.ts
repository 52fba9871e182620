import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DatabaseIsUnavailable } from '#libs/database';
import { Metrics } from '#libs/http';
import type { Failure, FailureKind } from '../../src/platform/gateway/ai/providers/wires/failure.js';
import { Breakers } from '../../src/platform/gateway/ai/calls/breakers/breakers.js';
import type { Candidate } from '../../src/platform/gateway/ai/calls/fallback/fallback.js';
import { Plans } from '../../src/platform/gateway/ai/calls/plan/plans.js';
import { ROTATE } from '../../src/platform/gateway/credentials/credentials.sql.js';
import { GatewayAudit } from '../../src/platform/gateway/audit/gateway-audit.js';
import { RowLock } from '../support/row-lock.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const LIMIT_MS = 150_000;
const failure = (kind: FailureKind, changes: Partial<Failure> = {}): Failure => ({
  ...{ kind, status: 503, code: null, detail: 'No.', retryAfterMs: null },
  ...changes,
});

describe('circuit breakers', () => {
  let test: TestDatabase;
  let plans: Plans;
  /** Of two replicas. */
  let breakers: readonly [Breakers, Breakers];
  const metrics = new Metrics();
  let organizationId: string;
  let credentialId: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    test = await createTestDatabase();
    plans = new Plans(test.database);
    const replica = (its: Metrics) => new Breakers(test.database, new GatewayAudit(), its);
    breakers = [replica(metrics), replica(new Metrics())];
    for (const model of ['one', 'two'])
      await test.database.query(
        `INSERT INTO gateway.model (provider, id, name, capabilities, lifecycle)
         VALUES ('openai', $1, $1, '{completions}', 'active')`,
        [model],
      );
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    [organizationId, credentialId] = [randomUUID(), randomUUID()];
    await test.database.query(
      `INSERT INTO gateway.credential
         (id, provider, organization_id, position, label, data_key, secret, hint, created_by)
       VALUES ($1, 'openai', $2, 1, 'Test', 'k', 's', '', 'test')`,
      [credentialId, organizationId],
    );
    await test.database.query(
      `INSERT INTO gateway.model_preference (organization_id, capability, default_model, fallback_chain)
       VALUES ($1, 'completions', 'openai/one', '{openai/two}')`,
      [organizationId],
    );
  });

  /** As a new request sees them. */
  const candidates = async (): Promise<readonly [Candidate, Candidate]> => {
    const caller = { applicationId: randomUUID(), application: 'agent', organizationId, userId: null };
    const request = { attribution: caller, capability: 'completions', override: null } as const;
    const { models } = await plans.read(request);
    return models.map((model) => ({ model, credential: model.credentials[0] })) as never;
  };
  const admission = async (model: 0 | 1, replica: 0 | 1 = 0, limitMs = LIMIT_MS) => {
    const candidate = (await candidates())[model];
    return { candidate, refusal: await breakers[replica].refusal(candidate, limitMs) };
  };
  const refusal = async (model: 0 | 1, replica: 0 | 1 = 0) => (await admission(model, replica)).refusal;
  const fail = async (model: 0 | 1, kind: FailureKind, times = 5, changes: Partial<Failure> = {}) => {
    for (let at = 0; at < times; at += 1)
      await breakers[at % 2 ? 1 : 0].note((await candidates())[model], failure(kind, changes));
  };
  const waitsForProbe = () =>
    test.database.query(`UPDATE gateway.model_breaker SET open_until = now() WHERE credential_id = $1`, [
      credentialId,
    ]);
  const rows = () =>
    test.database.query(`SELECT model FROM gateway.model_breaker WHERE credential_id = $1`, [credentialId]);

  it.each<[FailureKind, string]>([
    ['rate', 'rate'],
    ['overload', 'overload'],
    ['no-answer', 'overload'],
  ])(
    'after five failures %s hold back the model on all replicas, and no other model',
    async (kind, shown) => {
      await fail(0, kind, 4);
      expect(await refusal(0)).toBeNull();
      await fail(0, kind, 1);
      for (const replica of [0, 1] as const) {
        const held = await refusal(0, replica);
        expect(held).toMatchObject({ kind: shown, status: null });
        expect(held?.retryAfterMs).toBeGreaterThan(20_000);
        expect(await refusal(1, replica)).toBeNull();
      }
    },
  );

  it('hold back all models of a credential that cannot be connected to', async () => {
    await fail(0, 'not-sent', 5, { status: null });
    expect([await refusal(0), await refusal(1, 1)]).toMatchObject([
      { kind: 'overload' },
      { kind: 'overload' },
    ]);
    expect(await rows()).toEqual([]);
  });

  it('hold back all models of a credential without money', async () => {
    await fail(0, 'money', 1, { status: 402 });
    expect([await refusal(0), await refusal(1, 1)]).toMatchObject([{ kind: 'money' }, { kind: 'money' }]);
  });

  it('hold nothing back for a request that costs more than is left', async () => {
    await fail(0, 'money', 6, { status: 402, isOfRequest: true });
    expect([await refusal(0), await refusal(1, 1)]).toEqual([null, null]);
  });

  it.each([
    ['may not use one model', { status: 403, isOfRequest: true }, false],
    ['is not accepted', { status: 401 }, true],
  ])('mark a key that %s as it is', async (_, changes, isFailing) => {
    await fail(0, 'credential', 1, changes);
    expect((await candidates())[1].credential.isFailing).toBe(isFailing);
  });

  it('count failures that a replica has at the same time once each', async () => {
    const [candidate] = await candidates();
    await Promise.all(Array.from({ length: 4 }, () => breakers[0].note(candidate, failure('rate'))));
    expect(await refusal(0)).toBeNull();
    await Promise.all(Array.from({ length: 2 }, () => breakers[0].note(candidate, failure('rate'))));
    expect(await refusal(0)).toMatchObject({ kind: 'rate' });
  });

  it('are open as long as Retry-After says, at most a minute', async () => {
    await fail(0, 'rate', 5, { retryAfterMs: 3_600_000 });
    const held = await refusal(0);
    expect(held?.retryAfterMs).toBeGreaterThan(50_000);
    expect(held?.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('are open from the first rate limit whose provider says for how long, and need no probe then', async () => {
    await fail(0, 'rate', 1, { retryAfterMs: 20_000 });
    for (const replica of [0, 1] as const) {
      const held = await refusal(0, replica);
      expect(held).toMatchObject({ kind: 'rate', status: null });
      expect(held?.retryAfterMs).toBeGreaterThan(10_000);
      expect(held?.retryAfterMs).toBeLessThanOrEqual(20_000);
      expect(await refusal(1, replica)).toBeNull();
    }
    await waitsForProbe();
    expect([await refusal(0, 0), await refusal(0, 1)]).toEqual([null, null]);
    await breakers[0].note((await candidates())[0], null);
    expect(await rows()).toEqual([]);
  });

  it('are not shortened by a later rate limit that ends sooner', async () => {
    await fail(0, 'rate', 1, { retryAfterMs: 50_000 });
    await fail(0, 'rate', 1, { retryAfterMs: 1_000 });
    expect((await refusal(0))?.retryAfterMs).toBeGreaterThan(40_000);
  });

  it('let one call of all replicas probe the model after five rate limits, and after a probe that fails', async () => {
    const probed = async () => {
      await waitsForProbe();
      return Promise.all([admission(0, 0), admission(0, 1)]);
    };
    const admitted = (both: { refusal: Failure | null }[]) =>
      both.filter((each) => each.refusal === null).length;
    await fail(0, 'rate', 5, { retryAfterMs: 1_000 });
    const both = await probed();
    expect(admitted(both)).toBe(1);
    await test.database.query(
      `UPDATE gateway.model_breaker SET failed_at = now() - interval '1 h' WHERE credential_id = $1`,
      [credentialId],
    );
    const probe = both.findIndex((each) => each.refusal === null) as 0 | 1;
    await breakers[probe].note(both[probe].candidate, failure('overload'));
    expect(admitted(await probed())).toBe(1);
  });

  it('let one call of all replicas probe the model; its answer closes the breaker', async () => {
    await fail(0, 'overload');
    await waitsForProbe();
    const both = await Promise.all([admission(0, 0), admission(0, 1)]);
    const probe = both.find((each) => each.refusal === null);
    expect(both.map((each) => each.refusal?.kind ?? 'admitted').toSorted()).toEqual(['admitted', 'overload']);
    await breakers[0].note((probe as { candidate: Candidate }).candidate, null);
    expect([await refusal(0, 0), await refusal(0, 1), await rows()]).toEqual([null, null, []]);
  });

  it('hold the model back again after a probe that fails, for the usual time', async () => {
    await fail(0, 'overload');
    await waitsForProbe();
    const { candidate } = await admission(0, 0, 3_000_000);
    await breakers[0].note(candidate, failure('no-answer', { status: null }));
    const [row] = await test.database.query<{ seconds: number; reason: string }>(
      `SELECT extract(epoch FROM open_until - now())::int AS seconds, reason FROM gateway.model_breaker WHERE credential_id = $1`,
      [credentialId],
    );
    expect(row?.reason).toBe('silence');
    expect(row?.seconds).toBeGreaterThan(0);
    expect(row?.seconds).toBeLessThanOrEqual(30);
  });

  it.each<[string, Failure | 'left']>([
    ['its caller left', 'left'],
    ['the account has no money', failure('money')],
    ['the key was refused', failure('credential')],
    ['nothing was sent', failure('not-sent', { status: null })],
  ])('free a probe when %s: it said nothing about the model', async (_, outcome) => {
    await fail(0, 'overload');
    await waitsForProbe();
    const { candidate } = await admission(0);
    if (outcome === 'left') await breakers[0].release(candidate);
    else await breakers[0].note(candidate, outcome);
    await test.database.query(`UPDATE gateway.credential SET breaker_open_until = NULL WHERE id = $1`, [
      credentialId,
    ]);
    expect(await refusal(0, 1)).toBeNull();
  });

  it('keep others back no longer than the attempt of a dead process could last, and its late end changes nothing', async () => {
    await fail(0, 'overload');
    await waitsForProbe();
    const dead = await admission(0, 0);
    const [lease] = await test.database.query<{ seconds: number }>(
      `SELECT extract(epoch FROM open_until - now())::float8 AS seconds FROM gateway.model_breaker WHERE credential_id = $1`,
      [credentialId],
    );
    expect(lease?.seconds).toBeLessThanOrEqual(LIMIT_MS / 1_000);
    expect(await refusal(0, 1)).toMatchObject({ kind: 'overload' });
    await waitsForProbe();
    const other = await admission(0, 1);
    expect([dead.refusal, other.refusal]).toEqual([null, null]);
    await breakers[0].release(dead.candidate);
    expect(await refusal(0)).toMatchObject({ kind: 'overload' });
  });

  it('admit a call that was planned before a probe succeeded', async () => {
    await fail(0, 'overload');
    await waitsForProbe();
    const [planned] = await candidates();
    await breakers[1].note((await admission(0, 1)).candidate, null);
    expect(await breakers[0].refusal(planned, LIMIT_MS)).toBeNull();
  });

  it('are forgotten with the secret that is replaced', async () => {
    await fail(0, 'rate');
    await test.database.query(ROTATE, [credentialId, 'k', 's2', '']);
    expect([await refusal(0), await rows()]).toEqual([null, []]);
  });

  describe('after the secret was replaced during a call', () => {
    const rotate = () => test.database.query(ROTATE, [credentialId, 'k', 's2', '']);
    const isFailing = async () => (await candidates())[0].credential.isFailing;

    it.each<[FailureKind, number, Partial<Failure>]>([
      ['credential', 1, { status: 401 }],
      ['money', 1, { status: 402 }],
      ['not-sent', 5, { status: null }],
      ['overload', 5, {}],
      ['rate', 1, { status: 429, retryAfterMs: 60_000 }],
    ])('%s of the former one counts for nothing', async (kind, times, changes) => {
      const [former] = await candidates();
      await rotate();
      for (let at = 0; at < times; at += 1) await breakers[0].note(former, failure(kind, changes));
      expect([await refusal(0), await refusal(1), await isFailing(), await rows()]).toEqual([
        ...[null, null, false, []],
      ]);
    });

    it('failures of both are counted apart', async () => {
      const [former] = await candidates();
      await rotate();
      const [present] = await candidates();
      await Promise.all(
        [present, former, former, former, former].map((each) => breakers[0].note(each, failure('overload'))),
      );
      expect((await candidates())[0].credential.ofModel.failures).toBe(1);
    });

    it.each<[FailureKind, Partial<Failure>]>([
      ['overload', {}],
      ['not-sent', { status: null }],
    ])(
      'a response to the former one closes nothing that %s of the present one opened',
      async (kind, changes) => {
        await fail(0, kind, 1, changes);
        const [former] = await candidates();
        await rotate();
        await fail(0, kind, 5, changes);
        await breakers[0].note(former, null);
        expect(await refusal(0)).toMatchObject({ kind: 'overload' });
      },
    );

    it('a call that waits for the rotation to commit sees it', async () => {
      const [former] = await candidates();
      const lock = await RowLock.by(test, 'SELECT FROM gateway.credential WHERE id = $1 FOR UPDATE', [
        credentialId,
      ]);
      const noting = breakers[0].note(former, failure('rate', { retryAfterMs: 60_000 }));
      await lock.waitedFor();
      await lock.also(ROTATE.text, [credentialId, 'k', 's2', '']);
      await lock.meanwhile([noting]);
      expect(await rows()).toEqual([]);
    });
  });

  describe('whose COMMIT gets no answer', () => {
    const LOST = new DatabaseIsUnavailable(new Error('The connection was lost at COMMIT.'));
    afterEach(() => jest.restoreAllMocks());

    it.each<FailureKind>(['money', 'credential'])('tell operators of %s', async (kind) => {
      const logged = jest.spyOn(Logger.prototype, 'error');
      const separately = test.database.separateTransaction.bind(test.database);
      jest.spyOn(test.database, 'separateTransaction').mockImplementationOnce(async (work) => {
        await separately(work);
        throw LOST;
      });
      const [candidate] = await candidates();
      const noted = () => breakers[0].note(candidate, failure(kind, { status: 402 }));
      await expect(noted()).rejects.toBe(LOST);
      await noted();
      expect(logged.mock.calls).toEqual([
        [expect.objectContaining({ provider: 'openai', credentialId }), expect.any(String)],
      ]);
    });

    it('count an account without money', async () => {
      const money = async () => {
        const counter = metrics.registry.getSingleMetric('ai_breakers_opened_total');
        const { values = [] } = (await counter?.get()) ?? {};
        return values.find(({ labels }) => labels.reason === 'money')?.value ?? 0;
      };
      const before = await money();
      const separately = test.database.separateTransaction.bind(test.database);
      jest.spyOn(test.database, 'separateTransaction').mockImplementationOnce(async (work) => {
        await separately(work);
        throw LOST;
      });
      const [candidate] = await candidates();
      await expect(breakers[0].note(candidate, failure('money'))).rejects.toBe(LOST);
      await breakers[0].note(candidate, failure('money'));
      expect((await money()) - before).toBe(1);
      const audited = await test.database.query(
        `SELECT FROM gateway.audit WHERE action = 'credential_out_of_money' AND organization_id = $1`,
        [organizationId],
      );
      expect(audited).toHaveLength(1);
    });
  });

  it('obey what a replica of the version before holds back, and close it after an answer', async () => {
    await test.database.query(
      `UPDATE gateway.credential SET breaker_failures = 5, breaker_failed_at = now(), breaker_reason = 'rate',
              breaker_open_until = now() + interval '30 s' WHERE id = $1`,
      [credentialId],
    );
    expect([await refusal(0), await refusal(1)]).toMatchObject([{ kind: 'rate' }, { kind: 'rate' }]);
    await test.database.query(`UPDATE gateway.credential SET breaker_open_until = now() WHERE id = $1`, [
      credentialId,
    ]);
    const { candidate } = await admission(1);
    expect(await refusal(0, 1)).toMatchObject({ kind: 'rate' });
    await breakers[0].note(candidate, null);
    expect([await refusal(0), await refusal(1)]).toEqual([null, null]);
  });
});
