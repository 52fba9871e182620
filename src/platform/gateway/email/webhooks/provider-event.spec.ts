import { ended } from '../../../../../test/support/ended.js';
import { eventIn as read } from './provider-event.js';

const event = (more: object) => ({
  type: 'email.delivered',
  data: { email_id: 'm-1', to: ['Ada <Ada@example.com>'] },
  ...more,
});

describe('an event of Resend', () => {
  it('is about the addresses that it names', () => {
    expect(read(event({ created_at: '2026-11-23T09:00:00.123456+00:00' }))).toEqual({
      type: 'email.delivered',
      providerId: 'm-1',
      addresses: ['ada@example.com'],
      at: '2026-11-23T09:00:00.123Z',
      bounce: null,
    });
  });

  it.each([
    undefined,
    7,
    '',
    'foo 1',
    '+275760-09-13T00:00:00.000Z',
    '-000001-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
  ])('has no time of its own with %j, which the database could not store', (at) =>
    expect(read(event({ created_at: at }))?.at).toBeNull(),
  );

  it.each([
    ['ada@example.com', ['ada@example.com']],
    ['"Ada, <Countess>" <ada@example.com> ', ['ada@example.com']],
    ['ada@example.com >', []],
    ['Ada', []],
    ['@example.com', []],
    ['ada@', []],
  ])('is about the address in %s', (to, addresses) =>
    expect(read(event({ data: { email_id: 'm-1', to: [to] } }))?.addresses).toEqual(addresses),
  );

  it.each(['@', ' ', 'a@'])('is read in time in proportion to a text of %j', (text) => {
    const to = [`${text.repeat(200_000)} x`];
    expect(ended(() => read(event({ data: { email_id: 'm-1', to } })))?.addresses).toEqual([]);
  });

  it.each([null, 'text', [], {}, { type: 'email.sent' }, { type: 1, data: { email_id: 'm-1' } }])(
    'is not %j',
    (body) => expect(read(body)).toBeNull(),
  );
});
