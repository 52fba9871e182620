import type { OutboundResponse } from '#libs/outbound-http';
import { aiResultOf } from './ai-client.js';

const problem = (status: number, code: string, costs?: readonly (string | null)[]): OutboundResponse => ({
  kind: 'answered',
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { code, detail: 'No.', ...(costs && { attempts: costs.map((cost) => ({ cost })) }) },
});
const resultOf = (response: OutboundResponse) => aiResultOf(response, () => null);

describe('a 503 of the AI routes', () => {
  it.each([
    ['before any attempt', problem(503, 'database_unavailable')],
    ['after attempts that are certainly free', problem(503, 'provider_overloaded', ['0', '0'])],
  ])('says that no provider did the work %s', (_, response) =>
    expect(resultOf(response)).toMatchObject({ kind: 'not-sent' }),
  );

  it.each([
    ['whose cost is not known', [null, '0']],
    ['that was billed', ['0.02', '0']],
  ])('leaves it in doubt after an attempt %s', (_, costs) =>
    expect(resultOf(problem(503, 'provider_overloaded', costs))).toEqual({
      kind: 'no-answer',
      reason: 'provider_overloaded',
    }),
  );
});
