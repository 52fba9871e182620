import { ended } from '../../../../../test/support/ended.js';
import { findingsIn, render, type TemplateContent } from './render.js';

const WELCOME: TemplateContent = {
  subject: 'Welcome, {{name}}',
  text: 'Hello {{ name }}, confirm at {{link}}. {{note}}',
  html: '<p>Hello {{name}}</p><a href="{{link}}">Confirm</a>{{note}}',
  variables: [
    { name: 'name', type: 'text', fallback: null },
    { name: 'link', type: 'url', fallback: null },
    { name: 'note', type: 'text', fallback: 'Bye' },
  ],
};
const VALUES = { name: 'Ada', link: 'https://example.com/c?a=1&b=2' };

describe('rendering a template', () => {
  it('puts values and fallbacks in, escaped in HTML only', () => {
    const hostile = `<img src=x onerror="alert('1')"> & {{link}}`;
    expect(render(WELCOME, { ...VALUES, name: hostile })).toEqual({
      subject: `Welcome, ${hostile}`,
      text: `Hello ${hostile}, confirm at ${VALUES.link}. Bye`,
      html: '<p>Hello &lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; {{link}}</p><a href="https://example.com/c?a=1&amp;b=2">Confirm</a>Bye',
    });
  });

  it.each([
    [{ link: VALUES.link }, 'variable_missing', '#/variables/name'],
    [{ ...VALUES, other: 'x' }, 'variable_not_declared', '#/variables/other'],
    [{ ...VALUES, link: 'javascript:alert(1)' }, 'not_a_url', '#/variables/link'],
    [{ ...VALUES, name: 'Ada\r\nBcc: eve@example.com' }, 'not_one_line', '#/variables/name'],
    [{ ...VALUES, name: 'a'.repeat(20_001) }, 'too_long', '#/variables/name'],
    [{ ...VALUES, 'a/b': 'x' }, 'variable_not_declared', '#/variables/a~1b'],
  ])('refuses %j', (values, code, pointer) => {
    expect(render(WELCOME, values)).toEqual({ findings: [expect.objectContaining({ code, pointer })] });
  });

  it('takes no value from the prototype of objects', () => {
    const content = {
      ...WELCOME,
      variables: [{ name: 'constructor', type: 'text', fallback: null } as const],
    };
    expect(render(content, Object.create(null) as Record<string, string>)).toMatchObject({
      findings: [{ code: 'variable_missing' }],
    });
  });
});

describe('checking a template', () => {
  it('accepts declared placeholders', () => expect(findingsIn(WELCOME)).toEqual([]));

  it.each([
    ['Hello {{nobody}}', 'variable_not_declared'],
    ['Hello {{#if name}}', 'variable_not_declared'],
    ['Hello {{{name}}}', 'placeholder_malformed'],
    ['Hello {{name', 'placeholder_malformed'],
  ])('refuses %s', (text, code) => {
    expect(findingsIn({ ...WELCOME, text })).toEqual([expect.objectContaining({ pointer: '#/text', code })]);
  });

  it.each(['{{', '{{ a', '{{}'])('takes time in proportion to the blanks behind %s', (text) => {
    const content = { ...WELCOME, text: text + ' '.repeat(200_000) };
    expect(ended(() => findingsIn(content))).toEqual([
      expect.objectContaining({ code: 'placeholder_malformed' }),
    ]);
  });

  it('takes no inherited member for a value', () => {
    const template = {
      subject: 'Hi',
      text: 'Hello {{constructor}}',
      html: '<p>{{constructor}}</p>',
      variables: [{ name: 'constructor', type: 'text' as const, fallback: null }],
    };
    expect(render(template, {})).toEqual({
      findings: [{ pointer: '#/variables/constructor', code: 'variable_missing', detail: 'must be sent' }],
    });
    expect(render(template, { constructor: 'Ada' })).toMatchObject({ text: 'Hello Ada', html: '<p>Ada</p>' });
  });

  it('renders no text that fills the memory', () => {
    const variables = [{ name: 'a', type: 'text' as const, fallback: null }];
    const template = { subject: 'Hi', text: '{{a}}'.repeat(40_000), html: null, variables };
    expect(render(template, { a: 'x'.repeat(20_000) })).toEqual({
      findings: [
        { pointer: '#/variables', code: 'too_long', detail: 'must give at most 2000000 characters' },
      ],
    });
  });
});
