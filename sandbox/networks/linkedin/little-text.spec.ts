import { shownText } from './little-text.js';

describe('little text as LinkedIn shows it', () => {
  it.each([
    ['Prices (net) from today', 'Prices'],
    ['Prices \\(net\\) from today', 'Prices (net) from today'],
    ['with @[Acme \\(DE\\)](urn:li:organization:12)!', 'with Acme (DE)!'],
    ['{hashtag|\\#|growth} #also', '#growth #also'],
    ['see https://example.com/a_b#c_@d and me@example.org', 'see https://example.com/a_b#c_@d and me'],
    ['ends \\', 'ends'],
  ])('%s', (commentary, shown) => {
    expect(shownText(commentary)).toBe(shown);
  });
});
