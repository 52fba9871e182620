import type { Database } from '#libs/database';
import type { PlanRequest } from './plans.js';
import { Plans } from './plans.js';

const CLOSED = { failures: 0, reason: null, isHeldBack: false, isWaitingForProbe: false, remainingMs: null };

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
  credentials: [{ ...CLOSED, id: 'one', provider: 'openai', organizationId: null, models: null }],
  fingerprint: 'a fingerprint',
};

const attribution = { organizationId: 'ours' } as PlanRequest['attribution'];

describe('the plans of a process', () => {
  it('have no price for a model whose price is of another capability', async () => {
    const prices = { inputTokens: '0', outputTokens: '0', images: '0.04' };
    const priced = {
      ...row,
      models: row.models.map((model) => ({ ...model, capabilities: ['completions', 'images'], prices })),
      returnedPrices: [{ ref: 'openai/gpt-2026', prices }],
    };
    const plans = new Plans({ query: () => Promise.resolve([priced]) } as unknown as Database);
    const planned = await Promise.all(
      (['completions', 'images'] as const).map((capability) =>
        plans.planFor({ attribution, capability, override: null }),
      ),
    );
    expect(
      planned.map((plan) => [plan.models[0]?.prices, plan.returnedPrices.get('openai/gpt-2026')]),
    ).toEqual([
      [null, null],
      [prices, prices],
    ]);
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
});
