import { postIdOf, shortcodeOf } from './draft-fields.js';

describe('a shortcode', () => {
  it.each(['1', '17841400000000000', '1966283194830422016', '9223372036854775807'])('stands for %s', (id) => {
    expect(shortcodeOf(id)).toMatch(/^C[0-9a-z]+$/);
    expect(postIdOf(shortcodeOf(id))).toBe(id);
  });

  it.each(['', 'C', 'D12', 'C1/2', `C${'z'.repeat(21)}`])('is not %j', (text) =>
    expect(postIdOf(text)).toBe(''),
  );
});
