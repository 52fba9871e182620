import { randomUUID } from 'node:crypto';
import { ReturnedModels } from '../../src/platform/gateway/ai/calls/returned-models.js';
import type { PlanRequest } from '../../src/platform/gateway/ai/calls/plans/plans.js';
import { Plans } from '../../src/platform/gateway/ai/calls/plans/plans.js';
import type { Plan, PlannedModel } from '../../src/platform/gateway/ai/calls/plans/plan.js';
import { PlanHasChanged } from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
import { aLedger, anAttempt } from '../support/spend-world.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const OLD = { inputTokens: '1', outputTokens: '2' };
const NEW = { inputTokens: '3', outputTokens: '4' };

/** A plan that is remembered is used only while reading it would give the same. */
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
  /** Remembered, after it was read once. */
  async function remembered(): Promise<Plan> {
    await plans.planFor(request);
    const plan = await plans.planFor(request);
    expect(plan.expected).toBeDefined();
    return plan;
  }
  const reserve = ({ expected }: Plan, ledger = aLedger(test)) =>
    ledger.reserve(anAttempt({ organizationId, model: 'gpt', expectedPlan: expected }));
  const firstOf = ({ models: [first] }: Plan): PlannedModel => first as PlannedModel;
  const rows = async () => (await test.database.query('SELECT FROM gateway.usage')).length;

  it('is not read again while nothing changes', async () => {
    const plan = await remembered();
    await reserve(plan);
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
    ['a deleted credential', `UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = ''`],
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
      reserve(plan, ledger),
      ledger.reserve(anAttempt({ organizationId: other.attribution.organizationId })),
    ]);
    expect(outdated).toMatchObject({ status: 'rejected', reason: expect.any(PlanHasChanged) as unknown });
    expect(without.status).toBe('fulfilled');
    expect(await rows()).toBe(1);
  });

  it.each([
    ['disabled', 'UPDATE gateway.credential SET enabled = false', false],
    ['deleted', `UPDATE gateway.credential SET deleted_at = now(), data_key = '', secret = ''`, false],
    ['gone', 'DELETE FROM gateway.credential', false],
    ['rotated', `UPDATE gateway.credential SET data_key = 'other', secret = 'another'`, false],
    ['encrypted with another key', `UPDATE gateway.credential SET data_key = 'other'`, true],
  ])('that was read now reserves only with the credential as it was: %s', async (_, change, isGranted) => {
    const plan = await plans.planFor(request);
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

  it('is read with a breaker whose time a provider named, and remembered when that is over', async () => {
    await test.database.query(
      `INSERT INTO gateway.model_breaker (credential_id, model, failures, failed_at, reason, open_until)
       SELECT id, 'gpt', 1, now(), 'rate', now() + interval '1 h' FROM gateway.credential`,
    );
    for (const _ of [1, 2]) expect((await plans.planFor(request)).expected).toBeUndefined();
    await test.database.query('UPDATE gateway.model_breaker SET open_until = now()');
    const plan = await remembered();
    await reserve(plan);
    expect(firstOf(plan).credentials[0]?.ofModel).toEqual({ breaker: { state: 'closed' }, failures: 1 });
  });

  it('is checked for each request of a statement by itself', async () => {
    const plan = await remembered();
    const ledger = aLedger(test);
    const wrong = { ...plan, expected: { model: null, returned: [], fingerprint: 'another' } };
    const asked = await Promise.allSettled([plan, wrong, plan].map((each) => reserve(each, ledger)));
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
  });

  it('refuses no request when only the remembered one would', async () => {
    await test.database.query(`UPDATE gateway.model SET lifecycle = 'retired' WHERE id = 'gpt'`);
    await expect(plans.planFor(request)).rejects.toThrow();
    await test.database.query(`UPDATE gateway.model SET lifecycle = 'active' WHERE id = 'gpt'`);
    expect(firstOf(await plans.planFor(request)).model).toBe('gpt');
  });

  it('has the prices of a returned model as of the start of the call, when they change during it', async () => {
    const returned = new ReturnedModels(plans);
    await price('gpt-2026', OLD);
    const first = await plans.planFor(request);
    const usageId = await reserve(first);
    await price('gpt-2026', NEW);
    const during = { plan: first, capability: 'completions', model: firstOf(first), usageId } as const;
    expect(await returned.pricesOf(during, 'gpt-2026')).toEqual(OLD);

    const second = await plans.planFor(request);
    const known = {
      plan: second,
      capability: 'completions',
      model: firstOf(second),
      usageId: randomUUID(),
    } as const;
    await price('gpt-2026', OLD);
    expect(await returned.pricesOf(known, 'gpt-2026')).toEqual(NEW);
    await plans.read(request);
    await reserve(await remembered());
  });

  it('has the price of the model that was asked for when the returned one has none', async () => {
    const returned = new ReturnedModels(plans);
    for (const _ of [1, 2, 3]) {
      const plan = await plans.planFor(request);
      const used = {
        plan,
        capability: 'completions',
        model: firstOf(plan),
        usageId: await reserve(plan),
      } as const;
      expect(await returned.pricesOf(used, 'gpt-unpriced')).toEqual(OLD);
      expect(await returned.pricesOf(used, 'gpt')).toEqual(OLD);
    }
  });
});
