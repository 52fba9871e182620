import { commitOutcome, stepOutcome } from './youtube-results.js';

describe('a refusal without a reason of Google', () => {
  const page = { kind: 'refused', status: 403, reason: null, retryAfterMs: null } as const;

  it.each([400, 401, 403, 404])('decides nothing with %i: a firewall wrote it', (status) => {
    const page = { kind: 'refused', status, reason: null, retryAfterMs: null } as const;
    expect(stepOutcome(page)).toMatchObject({ kind: 'no-answer', failure: { code: 'network_unreachable' } });
    expect(commitOutcome(page)).toMatchObject({ kind: 'unconfirmed' });
  });

  it('decides as before where Google names one, or forbids nothing', () => {
    const named = { ...page, reason: 'forbidden' };
    expect(commitOutcome(named)).toMatchObject({
      kind: 'refused',
      refusal: { failure: { code: 'forbidden_by_network' } },
    });
    expect(stepOutcome({ ...page, status: 429 }).kind).toBe('refused');
  });
});
