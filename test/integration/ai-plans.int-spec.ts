import { randomUUID } from 'node:crypto';
import { DomainError } from '#libs/errors';
import { ReturnedModels } from '../../src/platform/gateway/ai/calls/settle/returned-models.js';
import { type PlanRequest, Plans } from '../../src/platform/gateway/ai/calls/plan/plans.js';
import type { PlannedModel, RoutingPlan } from '../../src/platform/gateway/ai/calls/plan/plan.js';
import { PlanHasChanged } from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
import { aLedger, anAttempt } from '../support/spend-world.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const OLD = { inputTokens: '1', outputTokens: '2' };
const NEW = { inputTokens: '3', outputTokens: '4' };

describe('the plan of a request', () => {
  let test: TestDatabase;
  let plans: Plans;
  let organizationId: string;
  let request: PlanRequest;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());
  beforeEach(async () => {
    await test.database.query(
      'TRUNCATE gateway.usage, gateway.credential, gateway.model, gateway.model_price, gateway.model_preference CASCADE',
    );
    await test.database.query(
      `INSERT INTO gateway.model (provider, id, name, capabilities)
       SELECT 'openai', id, id, '{completions}' FROM unnest(ARRAY['gpt', 'other']) AS id`,
    );
    await price('gpt', OLD);
    await test.database.query(
      `INSERT INTO gateway.credential (id, provider, position, label, data_key, secret, hint, created_by)
       VALUES ($1, 'openai', 1, 'Ours', 'key', 'secret', '', 'a test')`,
      [randomUUID()],
    );
    await test.database.query(
      `INSERT INTO gateway.model_preference (capability, default_model) VALUES ('completions', 'openai/gpt')`,
    );
    plans = new Plans(test.database);
    organizationId = randomUUID();
    request = requestOf(organizationId);
  });

  const requestOf = (organization: string): PlanRequest => ({
    attribution: {
      applicationId: randomUUID(),
      application: 'mail',
      organizationId: organization,
      userId: null,
    },
    capability: 'completions',
    override: null,
  });
  /** From now on. */
  const price = (model: string, prices: object) =>
    test.database.query(
      `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source) VALUES ('openai', $1, now(), $2, 'operator')`,
      [model, JSON.stringify(prices)],
    );
  const reserve = (ledger = aLedger(test)) => ledger.reserve(anAttempt({ organizationId, model: 'gpt' }));
  const callOf = (plan: RoutingPlan) => ({
    capability: 'completions' as const,
    plan,
    learnReturned: (ref: string) => plans.learnReturned(request, ref),
  });
  /** As a request has it that is not the first one. */
  async function remembered(): Promise<RoutingPlan> {
    await plans.planFor(request);
    const plan = await plans.planFor(request);
    expect(plan.expected).toBeDefined();
    return plan;
  }
  const reserveBy = ({ expected }: RoutingPlan, ledger = aLedger(test)) =>
    ledger.reserve(anAttempt({ organizationId, model: 'gpt', expectedPlan: expected }));
  const firstOf = ({ models: [first] }: RoutingPlan): PlannedModel => first as PlannedModel;
  const rows = async () => (await test.database.query('SELECT FROM gateway.usage')).length;

  it.each<[string, string, object]>([
    [
      'the default model',
      `UPDATE gateway.model_preference SET default_model = 'openai/other'`,
      { chosen: 'openai/other' },
    ],
    [
      'the chain',
      `UPDATE gateway.model_preference SET fallback_chain = '{openai/other}'`,
      { models: [{ model: 'gpt' }, { model: 'other' }] },
    ],
    [
      'a preference of the organization',
      `INSERT INTO gateway.model_preference (organization_id, capability, default_model) VALUES ($1, 'completions', 'openai/other')`,
      { chosen: 'openai/other' },
    ],
    [
      'the price',
      `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source)
       VALUES ('openai', 'gpt', now(), '{"inputTokens": "9", "outputTokens": "9"}', 'operator')`,
      { models: [{ prices: { inputTokens: '9' } }] },
    ],
    [
      'the secret of the credential',
      `UPDATE gateway.credential SET secret = 'another'`,
      { models: [{ credentials: [{ secret: 'another' }] }] },
    ],
    [
      'a breaker',
      `UPDATE gateway.credential SET breaker_open_until = now() + interval '1 h', breaker_reason = 'rate'`,
      { models: [{ credentials: [{ breaker: { state: 'open', reason: 'rate' } }] }] },
    ],
    [
      'a breaker of the model',
      `INSERT INTO gateway.model_breaker (credential_id, model, failures, failed_at, reason, open_until)
       SELECT id, 'gpt', 5, now(), 'rate', now() + interval '1 h' FROM gateway.credential`,
      {
        models: [{ credentials: [{ ofModel: { breaker: { state: 'open', reason: 'rate' }, failures: 5 } }] }],
      },
    ],
    [
      'a credential of the organization',
      `INSERT INTO gateway.credential (id, provider, organization_id, position, label, data_key, secret, hint, created_by)
       VALUES (gen_random_uuid(), 'openai', $1, 1, 'Own', 'key', 'own', '', 'a test')`,
      { models: [{ credentials: [{ secret: 'own' }] }] },
    ],
  ])(
    'has a change of %s at once, and that of another organization beside it',
    async (_, change, expected) => {
      const before = await plans.read(request);
      expect(firstOf(before)).toMatchObject({ provider: 'openai', model: 'gpt', prices: OLD });
      await test.database.query(change, change.includes('$1') ? [organizationId] : []);
      const other = requestOf(randomUUID());
      const [, , ours, theirs] = await Promise.all(
        [request, request, request, other].map((one) => plans.read(one)),
      );
      expect(ours).toMatchObject(expected);
      if (change.includes('$1')) expect(theirs).toEqual(before);
      else expect(theirs).toMatchObject(expected);
    },
  );

  it.each([
    ['the lifecycle of the model', `UPDATE gateway.model SET lifecycle = 'retired' WHERE id = 'gpt'`],
    ['the allowed models', `UPDATE gateway.model_preference SET allowed_models = '{openai/other}'`],
    ['a deleted credential', `UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = ''`],
    ['a disabled credential', 'UPDATE gateway.credential SET enabled = false'],
  ])('refuses the next request after a change of %s', async (_, change) => {
    await plans.read(request);
    await test.database.query(change);
    await expect(plans.read(request)).rejects.toBeInstanceOf(DomainError);
  });

  it.each([
    ['disabled', 'UPDATE gateway.credential SET enabled = false', false],
    ['deleted', `UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = ''`, false],
    ['gone', 'DELETE FROM gateway.credential', false],
    ['rotated', `UPDATE gateway.credential SET data_key = 'other', secret = 'another'`, false],
    ['encrypted with another key', `UPDATE gateway.credential SET data_key = 'other'`, true],
  ])('reserves only with the credential as it was: %s', async (_, change, isGranted) => {
    const plan = await plans.read(request);
    const { id: credentialId = '', secret: sealedSecret = '' } = firstOf(plan).credentials[0] ?? {};
    await test.database.query(change);
    const ledger = aLedger(test);
    const attempts = [{ credentialId, sealedSecret }, {}].map((more) =>
      ledger.reserve(anAttempt({ organizationId, attempt: 2, ...more })),
    );
    const [planned, other] = await Promise.allSettled(attempts);
    if (isGranted) expect(planned?.status).toBe('fulfilled');
    else expect(planned).toMatchObject({ reason: expect.any(PlanHasChanged) as unknown });
    expect(other?.status).toBe('fulfilled');
    expect(await rows()).toBe(isGranted ? 2 : 1);
  });

  it('counts the failures of a breaker whose time is over', async () => {
    await test.database.query(
      `INSERT INTO gateway.model_breaker (credential_id, model, failures, failed_at, reason, open_until)
       SELECT id, 'gpt', 1, now(), 'rate', now() FROM gateway.credential`,
    );
    const plan = await plans.read(request);
    expect(firstOf(plan).credentials[0]?.ofModel).toEqual({ breaker: { state: 'closed' }, failures: 1 });
  });

  it('has the prices of a returned model as of the start of the call, when they change during it', async () => {
    const returned = new ReturnedModels(test.database);
    await price('gpt-2026', OLD);
    const plan = await plans.read(request);
    const model = firstOf(plan);
    const usageId = await reserve();
    await price('gpt-2026', NEW);
    const used = { call: callOf(plan), model };
    expect(await returned.pricesOf({ ...used, usageId }, 'gpt-2026')).toEqual(OLD);
    expect(await returned.pricesOf({ ...used, usageId: await reserve() }, 'gpt-2026')).toEqual(NEW);
  });

  it('has the price of the model that was asked for when the returned one has none', async () => {
    const returned = new ReturnedModels(test.database);
    const plan = await plans.read(request);
    const used = { call: callOf(plan), model: firstOf(plan), usageId: await reserve() };
    for (const name of ['gpt-unpriced', 'gpt', 'not\0storable', null])
      expect(await returned.pricesOf(used, name)).toEqual(OLD);
  });

  describe('that an earlier request read', () => {
    it('is not read again while nothing changes', async () => {
      const plan = await remembered();
      await reserveBy(plan);
      expect(await rows()).toBe(1);
      expect(firstOf(plan)).toMatchObject({ provider: 'openai', model: 'gpt', prices: OLD });
    });

    it.each([
      ['the default model', `UPDATE gateway.model_preference SET default_model = 'openai/other'`],
      ['the allowed models', `UPDATE gateway.model_preference SET allowed_models = '{openai/gpt}'`],
      [
        'a preference of the organization',
        `INSERT INTO gateway.model_preference (organization_id, capability, default_model) VALUES ($1, 'completions', 'openai/other')`,
      ],
      ['the lifecycle of the model', `UPDATE gateway.model SET lifecycle = 'retired' WHERE id = 'gpt'`],
      [
        'the price',
        `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source)
         VALUES ('openai', 'gpt', now(), '{"inputTokens": "9"}', 'operator')`,
      ],
      ['the secret of the credential', `UPDATE gateway.credential SET secret = 'another'`],
      [
        'a deleted credential',
        `UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = ''`,
      ],
      ['a disabled credential', 'UPDATE gateway.credential SET enabled = false'],
      [
        'a breaker',
        `UPDATE gateway.credential SET breaker_open_until = now() + interval '1 h', breaker_reason = 'rate'`,
      ],
      [
        'a breaker of the model',
        `INSERT INTO gateway.model_breaker (credential_id, model, failures, failed_at, reason, open_until)
         SELECT id, 'gpt', 5, now(), 'rate', now() + interval '1 h' FROM gateway.credential`,
      ],
      [
        'a credential of the organization',
        `INSERT INTO gateway.credential (id, provider, organization_id, position, label, data_key, secret, hint, created_by)
         VALUES (gen_random_uuid(), 'openai', $1, 1, 'Own', 'key', 'secret', '', 'a test')`,
      ],
    ])('reserves nothing after a change of %s', async (_, change) => {
      const plan = await remembered();
      await test.database.query(change, change.includes('$1') ? [organizationId] : []);
      const other = requestOf(randomUUID());
      const ledger = aLedger(test);
      const [outdated, without] = await Promise.allSettled([
        reserveBy(plan, ledger),
        ledger.reserve(anAttempt({ organizationId: other.attribution.organizationId })),
      ]);
      expect(outdated).toMatchObject({ status: 'rejected', reason: expect.any(PlanHasChanged) as unknown });
      expect(without.status).toBe('fulfilled');
      expect(await rows()).toBe(1);
    });

    it('is confirmed for each request of a statement by itself', async () => {
      const plan = await remembered();
      const ledger = aLedger(test);
      const wrong = { ...plan, expected: { model: null, returned: [], fingerprint: 'another' } };
      const asked = await Promise.allSettled([plan, wrong, plan].map((each) => reserveBy(each, ledger)));
      expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      // Of another organization, the same fingerprint is none.
      await expect(
        ledger.reserve(anAttempt({ model: 'gpt', expectedPlan: plan.expected })),
      ).rejects.toBeInstanceOf(PlanHasChanged);
    });

    it('is read for each request while a breaker is open', async () => {
      await test.database.query(`UPDATE gateway.credential SET breaker_open_until = now() + interval '1 h'`);
      for (const _ of [1, 2]) expect((await plans.planFor(request)).expected).toBeUndefined();
      await test.database.query('UPDATE gateway.credential SET breaker_open_until = NULL');
      await test.database.query(
        `INSERT INTO gateway.model_breaker (credential_id, model, failures, failed_at, reason, open_until)
         SELECT id, 'gpt', 5, now(), 'rate', now() FROM gateway.credential`,
      );
      plans = new Plans(test.database);
      for (const _ of [1, 2]) expect((await plans.planFor(request)).expected).toBeUndefined();
      await test.database.query('UPDATE gateway.model_breaker SET failures = 1');
      await reserveBy(await remembered());
    });

    it('refuses no request when only the remembered one would', async () => {
      const change = `UPDATE gateway.model_preference SET allowed_models = `;
      await test.database.query(`${change}'{openai/other}'`);
      await expect(plans.planFor(request)).rejects.toThrow();
      await test.database.query(`${change}NULL`);
      expect(firstOf(await plans.planFor(request)).model).toBe('gpt');
      request = { ...request, override: { model: 'openai/gpt', isPermitted: false } };
      await remembered();
      await test.database.query(`UPDATE gateway.model_preference SET default_model = 'openai/other'`);
      await expect(plans.planFor(request)).resolves.toMatchObject({ expected: expect.anything() as unknown });
      await expect(plans.read(request)).rejects.toThrow();
    });

    it('has the prices of returned models without a further statement', async () => {
      const returned = new ReturnedModels(test.database);
      await price('gpt-2026', NEW);
      const pricesOf = (plan: RoutingPlan, name: string, usageId = randomUUID()) =>
        returned.pricesOf({ call: callOf(plan), model: firstOf(plan), usageId }, name);
      const first = await plans.planFor(request);
      for (const name of ['gpt-2026', 'gpt-unpriced']) await pricesOf(first, name);
      const plan = await remembered();
      await reserveBy(plan);
      expect(plan.returnedPrices).toEqual({ 'openai/gpt-2026': NEW, 'openai/gpt-unpriced': null });
      expect(await pricesOf(plan, 'gpt-2026')).toEqual(NEW);
      expect(await pricesOf(plan, 'gpt-unpriced')).toEqual(OLD);
      await price('gpt-2026', OLD);
      await expect(reserveBy(plan)).rejects.toBeInstanceOf(PlanHasChanged);
    });
  });
});
