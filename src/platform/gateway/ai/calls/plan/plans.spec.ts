import type { Database } from '#libs/database';
import { type PlanRequest, Plans } from './plans.js';

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
    const query = (_sql: unknown, values: readonly unknown[][]) => {
      reads.push(values);
      return Promise.resolve(values[0]?.map(() => row));
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
    const each = (...organizations: string[]) => [
      organizations,
      organizations.map(() => 'completions'),
      organizations.map(() => null),
    ];
    expect(reads).toEqual([each('a'), each('b'), each('c', 'd')]);
  });
});
