import { contentFindings, readHeaders, readRecipients } from './content-findings.js';

const codesOf = (findings: readonly { pointer?: string; code: string }[]) =>
  findings.map(({ pointer, code }) => `${pointer} ${code}`);

describe('recipients of a message', () => {
  it('are normalized and keep their kind', () => {
    const { recipients, findings } = readRecipients({
      to: [{ address: ' Ada@EXAMPLE.com', name: ' Ada ' }],
      bcc: [{ address: 'bob@bücher.example' }],
    });
    expect(findings).toEqual([]);
    expect(recipients).toEqual([
      { kind: 'to', name: 'Ada', address: 'Ada@example.com' },
      { kind: 'bcc', name: null, address: 'bob@xn--bcher-kva.example' },
    ]);
  });

  it('are refused with all findings at once', () => {
    const { findings } = readRecipients({
      to: [{ address: 'ada@example.com' }, { address: 'nobody' }],
      cc: [{ address: 'ADA@example.com' }, { address: 'eve@example.com', name: 'Eve\r\nBcc: x@example.com' }],
    });
    expect(codesOf(findings)).toEqual([
      '#/to/1/address not_an_address',
      '#/cc/0/address duplicate',
      '#/cc/1/name not_one_line',
    ]);
  });

  it.each([0, 51])('may not be %i', (count) => {
    const to = Array.from({ length: count }, (_, index) => ({ address: `a${index}@example.com` }));
    expect(codesOf(readRecipients({ to }).findings)).toEqual(['#/to recipients']);
  });
});

describe('content of a message', () => {
  it.each([
    [{}, ['#/subject required', '#/text required']],
    [{ subject: 'a\r\nBcc: eve@example.com', text: 'x' }, ['#/subject not_one_line']],
    [{ subject: 'a', text: 'x', replyTo: 'a@example.com\n' }, ['#/replyTo not_an_address']],
    [{ subject: 'a', text: 'x', replyTo: 'Ada <a@example.com>' }, ['#/replyTo not_an_address']],
    [{ text: 'x', template: { name: 'welcome' } }, ['#/text not_with_template']],
    [{ template: { name: 'a', variables: { n: 1 as never } } }, ['#/template/variables/n not_a_text']],
  ])('%j', (body, expected) => expect(codesOf(contentFindings(body))).toEqual(expected));
});

describe('headers of a message', () => {
  it('are spelled as usual', () => {
    expect(readHeaders({ 'list-unsubscribe': ' <https://example.com> ' })).toEqual({
      headers: { 'List-Unsubscribe': '<https://example.com>' },
      findings: [],
    });
  });

  it.each([
    'Bcc',
    'From',
    'Sender',
    'To',
    'Return-Path',
    'DKIM-Signature',
    'Content-Type',
    'Message-ID',
    'X-Other',
    '',
  ])('may not be %s', (name) => expect(readHeaders({ [name]: 'x' }).findings).toHaveLength(1));

  it.each(['a\r\nBcc: eve@example.com', 'a\u2028b', '', 'a'.repeat(901), 1])(
    'may not have the value %j',
    (value) => expect(readHeaders({ 'List-Id': value }).findings).toMatchObject([{ code: 'not_one_line' }]),
  );
});
