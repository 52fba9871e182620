import type { Database } from '#libs/database';
import { type PlanRequest, Plans } from './plans.js';

const CLOSED = { failures: 0, breaker: { state: 'closed' } };

/** What the database gives for a request: the one model that it has. */
const row = {
  preferences: [
    {
      isPlatform: true,
      defaultModel: 'openai/gpt',
      allowedModels: null,
      fallbackChain: null,
      fallbackOnPolicy: false,
    },
  ],
  models: [
    {
      provider: 'openai',
      model: 'gpt',
      capabilities: ['completions'],
      contextWindow: null,
      maxOutputTokens: null,
      accepts: {},
      lifecycle: 'active',
      prices: null,
    },
  ],
  returnedPrices: null,
  fingerprint: 'a fingerprint',
  credentials: [{ ...CLOSED, id: 'one', provider: 'openai', organizationId: null, models: null }],
};

const attribution = { organizationId: 'ours' } as PlanRequest['attribution'];

describe('the plans of a process', () => {
  it('have no price for a model whose price is of another capability', async () => {
    const prices = { inputTokens: '0', outputTokens: '0', images: '0.04' };
    const priced = {
      ...row,
      models: row.models.map((model) => ({ ...model, capabilities: ['completions', 'images'], prices })),
    };
    const plans = new Plans({ query: () => Promise.resolve([priced]) } as unknown as Database);
    const planned = await Promise.all(
      (['completions', 'images'] as const).map((capability) =>
        plans.read({ attribution, capability, override: null }),
      ),
    );
    expect(planned.map((plan) => plan.models[0]?.prices)).toEqual([null, prices]);
  });

  it('are read together, each once, by requests that arrive during a read', async () => {
    const reads: unknown[] = [];
    const query = (_sql: unknown, [keys = '']: readonly string[]) => {
      const values = JSON.parse(keys) as unknown[];
      reads.push(values);
      return Promise.resolve(values.map(() => row));
    };
    const plans = new Plans({ query } as unknown as Database);
    const ofOrganization = (organizationId: string) =>
      plans.read({
        attribution: { organizationId } as PlanRequest['attribution'],
        capability: 'completions',
        override: null,
      });
    const planned = await Promise.all(['a', 'b', 'c', 'd', 'c'].map(ofOrganization));
    expect(planned.map(({ chosen }) => chosen)).toEqual(planned.map(() => 'openai/gpt'));
    const key = { capability: 'completions', model: null, returned: [] };
    const each = (...organizations: string[]) =>
      organizations.map((organization_id, place) => ({ place, organization_id, ...key }));
    expect(reads).toEqual([each('a'), each('b'), each('c', 'd')]);
  });

  it('stay remembered while requests for models that do not exist are refused', async () => {
    const plans = new Plans({ query: () => Promise.resolve([row]) } as unknown as Database);
    const request: PlanRequest = { attribution, capability: 'completions', override: null };
    await plans.planFor(request);
    for (let number = 0; number < 3_000; number += 1) {
      const override = { model: `openai/none-${number}`, isPermitted: true };
      await expect(plans.planFor({ ...request, override })).rejects.toThrow();
    }
    expect((await plans.planFor(request)).expected).toBeDefined();
  });

  it('stay remembered while callers are refused who may not choose the model', async () => {
    const preferences = row.preferences.map((one) => ({ ...one, defaultModel: 'openai/other' }));
    const query = () => Promise.resolve([{ ...row, preferences }]);
    const plans = new Plans({ query } as unknown as Database);
    const ask = (isPermitted: boolean) =>
      plans.planFor({
        attribution,
        capability: 'completions',
        override: { model: 'openai/gpt', isPermitted },
      });
    await ask(true);
    await expect(ask(false)).rejects.toThrow();
    expect((await ask(true)).expected).toBeDefined();
  });

  it('have the price of a model that was returned during their read from the next read on', async () => {
    const reads: unknown[] = [];
    const answer = Promise.withResolvers<void>();
    const query = async (_sql: unknown, [json]: readonly string[]) => {
      reads.push((JSON.parse(json!) as { returned: unknown }[])[0]?.returned);
      if (reads.length === 1) await answer.promise;
      return [row];
    };
    const plans = new Plans({ query } as unknown as Database);
    const request: PlanRequest = { attribution, capability: 'completions', override: null };
    const first = plans.planFor(request);
    plans.learnReturned(request, 'openai/gpt-dated');
    answer.resolve();
    await first;
    await plans.planFor(request);
    expect(reads).toEqual([[], ['openai/gpt-dated']]);
  });

  it('are forgotten, the oldest first, when they take too much memory', async () => {
    const large = {
      ...row,
      credentials: row.credentials.map((one) => ({ ...one, secret: 'x'.repeat(1 << 20) })),
    };
    const plans = new Plans({ query: () => Promise.resolve([large]) } as unknown as Database);
    const requestOf = (organizationId: string): PlanRequest => ({
      attribution: { organizationId } as PlanRequest['attribution'],
      capability: 'completions',
      override: null,
    });
    for (let number = 0; number < 40; number += 1) await plans.planFor(requestOf(`${number}`));
    expect((await plans.planFor(requestOf('39'))).expected).toBeDefined();
    expect((await plans.planFor(requestOf('0'))).expected).toBeUndefined();
  });
});
