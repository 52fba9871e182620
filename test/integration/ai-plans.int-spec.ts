import { randomUUID } from 'node:crypto';
import { DomainError } from '#libs/errors';
import { ReturnedModels } from '../../src/platform/gateway/ai/calls/settle/returned-models.js';
import { type PlanRequest, Plans } from '../../src/platform/gateway/ai/calls/plan/plans.js';
import type { PlannedModel, RoutingPlan } from '../../src/platform/gateway/ai/calls/plan/plan.js';
import { CredentialHasChanged } from '../../src/platform/gateway/ai/usage/spend/spend-ledger.js';
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
    else expect(planned).toMatchObject({ reason: expect.any(CredentialHasChanged) as unknown });
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
    const model = firstOf(await plans.read(request));
    const usageId = await reserve();
    await price('gpt-2026', NEW);
    const used = { capability: 'completions', model } as const;
    expect(await returned.pricesOf({ ...used, usageId }, 'gpt-2026')).toEqual(OLD);
    expect(await returned.pricesOf({ ...used, usageId: await reserve() }, 'gpt-2026')).toEqual(NEW);
  });

  it('has the price of the model that was asked for when the returned one has none', async () => {
    const returned = new ReturnedModels(test.database);
    const used = {
      capability: 'completions',
      model: firstOf(await plans.read(request)),
      usageId: await reserve(),
    } as const;
    for (const name of ['gpt-unpriced', 'gpt', 'not\0storable', null])
      expect(await returned.pricesOf(used, name)).toEqual(OLD);
  });
});
