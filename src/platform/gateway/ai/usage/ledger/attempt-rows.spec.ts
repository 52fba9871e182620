import { settlementRows } from './attempt-rows.js';

describe('the parameter of settlements', () => {
  it('has texts of providers that PostgreSQL can store', () => {
    const outcome = {
      id: 'one',
      state: 'done',
      usage: null,
      cost: null,
      failure: null,
      milliseconds: 1,
      doubt: null,
      claim: null,
    } as const;
    const model = `${'m'.repeat(199)}\u{1f600}`;
    const rows = settlementRows([{ ...outcome, model, providerRequestId: 'a\0b\ud800c' }]);
    // jsonb refuses halves of surrogate pairs, also as escapes.
    expect(rows).not.toMatch(/\\u(?:d[89a-f]|0000)/i);
    expect(rows).toContain('m'.repeat(199));
  });
});
