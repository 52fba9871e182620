import type { Target } from '#libs/content';
import type { AccountFacts } from '../../domain/provider-grants.js';
import { preflight, textOf, weightedLength } from './x-rules.js';

const rules = (text: string, more: { link?: string; target?: Target } = {}) => {
  const { target = {}, link } = more;
  return preflight({ text, link, target, options: {}, media: [], account: null }).map(({ ruleId }) => ruleId);
};

describe('the text of a post on X', () => {
  it.each([
    ['280 letters', 'a'.repeat(280), 280],
    ['140 Han characters', '日'.repeat(140), 280],
    ['a family emoji of seven code points', '👨‍👩‍👧‍👦', 2],
    ['a flag', '🇩🇪', 2],
    ['a long link', `https://example.com/${'a'.repeat(300)}`, 23],
    ['a link without a protocol', 'example.com/page', 23],
    ['a decomposed letter', 'e\u0301', 1],
  ])('counts %s', (_, text, weight) => {
    expect(weightedLength(text)).toBe(weight);
  });

  it.each([
    ['280 letters', 'a'.repeat(280), []],
    ['281 letters', 'a'.repeat(281), ['x.text.too-long']],
    ['140 emoji', '🎉'.repeat(140), []],
    ['141 emoji', '🎉'.repeat(141), ['x.text.too-long']],
    ['a link at the very end of what fits', `${'a'.repeat(256)} https://example.com/${'b'.repeat(200)}`, []],
    ['one letter more than fits with a link', `${'a'.repeat(257)} https://example.com/`, ['x.text.too-long']],
    ['nothing', ' \n ', ['x.text.empty']],
    ['a byte order mark', 'a\uFEFFb', ['x.text.invalid-characters']],
    ['two cashtags', '$AB and $CD', ['x.text.cashtags']],
    ['a megabyte', 'a'.repeat(1_000_000), ['x.text.too-long']],
  ])('judges %s', (_, text, expected) => {
    expect(rules(text)).toEqual(expected);
  });

  it.each([
    ['None', 280],
    [undefined, 280],
    ['Basic', 25_000],
    ['PremiumPlus', 25_000],
  ])('may have, with subscription %s, %d characters', (subscription, max) => {
    const facts: AccountFacts = subscription ? { subscription } : {};
    const account = { accountId: '7', username: 'acme', facts };
    const rest = { target: {}, options: {}, media: [], account };
    expect(preflight({ text: 'a'.repeat(max), ...rest })).toEqual([]);
    expect(preflight({ text: 'a'.repeat(max + 1), ...rest })).toMatchObject([
      { ruleId: 'x.text.too-long', message: expect.stringContaining(`at most ${max}`) },
    ]);
  });

  it('counts the link that is sent with the text', () => {
    expect(rules('a'.repeat(255), { link: 'https://example.com' })).toEqual([]);
    expect(rules('a'.repeat(256), { link: 'https://example.com' })).toEqual(['x.text.too-long']);
  });

  it('does not show a link twice', () => {
    expect(textOf({ text: 'see https://example.com now', link: 'https://example.com' })).toBe(
      'see https://example.com now',
    );
    expect(textOf({ text: 'see', link: 'https://example.com' })).toBe('see\n\nhttps://example.com');
    expect(textOf({ text: '', link: 'https://example.com' })).toBe('https://example.com');
  });

  it('refuses a target, because X has accounts only', () => {
    expect(rules('a', { target: { connectionId: 'c', accountId: '7' } })).toEqual([]);
    for (const part of ['pageId', 'groupId', 'organizationId'])
      expect(rules('a', { target: { [part]: '1' } })).toEqual(['x.target.unsupported']);
  });
});
