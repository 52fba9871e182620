import { meaningOf } from './smtp-outcome.js';

describe('a reply of a mail server', () => {
  it.each([
    [550, '550 5.1.1 No such user', 'refused', '5.1.1', true],
    [550, '550 5.2.1 Disabled', 'refused', '5.2.1', true],
    [550, '550-5.1.1 No such user\n550 5.1.1 Sorry', 'refused', '5.1.1', true],
    [552, '552 5.2.2 Over quota', 'queued', '5.2.2', false],
    [452, '452 4.2.2 Over quota', 'queued', '4.2.2', false],
    [451, '451 4.7.1 Greylisted', 'queued', '4.7.1', false],
    [421, '421 Too many connections', 'queued', '421', false],
    [550, '550 5.7.1 Blocked', 'refused', '5.7.1', false],
    [554, '554 5.7.26 Not authenticated', 'refused', '5.7.26', false],
    [554, '554 Transaction failed', 'refused', '554', false],
    // A text about an address is no enhanced status code.
    [550, '550 user 5.1.1 unknown', 'refused', '550', false],
    // The reply code decides.
    [450, '450 5.1.1 Try later', 'queued', '5.1.1', false],
  ])('%i %s is %s', (code, response, state, enhanced, suppress) => {
    expect(meaningOf(code, response)).toMatchObject({ state, code: enhanced, suppress });
  });

  it('is shown without control characters', () => {
    expect(meaningOf(550, '550 5.1.1 a\r\n\u001b[31mb').detail).toBe('550 5.1.1 a [31mb');
  });
});
