import fc from 'fast-check';
import { tidyList, tidyText } from './text-fields.js';

describe('tidying', () => {
  it('takes off space; what is empty is nothing', () => {
    expect([tidyText('  a b\u00a0'), tidyText(' \t\n '), tidyText('')]).toEqual(['a b', null, null]);
  });

  it('removes invisible characters and keeps visible ones', () => {
    expect([tidyText('\u200b'), tidyText(' \u202e\u2069 ')]).toEqual([null, null]);
    expect(tidyText('\u202eשלום')).toBe('\u202eשלום');
    expect(tidyList(['a', '\ufeff', '\u3164'])).toEqual(['a']);
  });

  it('keeps the first of texts that differ in case only', () => {
    expect(tidyList([' b ', 'A', '', 'a', 'B'])).toEqual(['b', 'A']);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (list) => {
        const once = tidyList(list);
        expect(tidyList(once)).toEqual(once);
      }),
    );
  });
});
