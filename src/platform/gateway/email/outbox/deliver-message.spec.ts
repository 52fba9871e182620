import type { Outcome } from './delivery.types.js';
import { withoutSecrets } from './deliver-message.js';

const KEY = 're_1234567890abcdef';
const refused = (code: string | null, detail: string): Outcome => ({
  kind: 'results',
  results: [{ position: 1, state: 'refused', code, detail }],
});

describe('what a mail provider says', () => {
  it.each([
    [`401 invalid_api_key The key ${KEY} is not valid.`, '401 invalid_api_key The key … is not valid.'],
    [`cut within ${KEY.slice(0, 9)}`, 'cut within …'],
    ['nothing of it', 'nothing of it'],
  ])('has no key: %s', (detail, shown) => {
    for (const secret of [KEY, JSON.stringify({ key: 're_other', webhookSecrets: [KEY] })])
      expect(withoutSecrets(refused(KEY, detail), 'resend', { secret })).toEqual(refused('…', shown));
  });

  it('has no key in a call that is repeated', () => {
    const outcome = { kind: 'repeat', detail: `500 ${KEY}` } as const;
    expect(withoutSecrets(outcome, 'resend', { secret: KEY })).toEqual({ kind: 'repeat', detail: '500 …' });
  });

  it.each([
    'pass word!',
    Buffer.from('pass word!').toString('base64'),
    Buffer.from('\0me\0pass word!').toString('base64'),
  ])('has no password of a mail server: %s', (password) => {
    const secret = JSON.stringify({ host: 'h', port: 465, secure: true, user: 'me', password: 'pass word!' });
    const outcome = withoutSecrets(refused(null, `535 ${password} refused`), 'smtp', { secret });
    expect(outcome).toEqual(refused(null, '535 … refused'));
  });
});
