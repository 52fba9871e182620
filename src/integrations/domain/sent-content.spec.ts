import { PLATFORMS, networkOf } from '../networks.js';
import { preflightContent, textLengthOf } from '../queries/network-rules.js';
import { sentContent } from './sent-content.js';

const content = (text: string, link: string | null = null) => ({ text, title: 'A\r\ntitle', link });

describe('the content as networks get it', () => {
  it('has lines that end with LF', () => {
    expect(sentContent(content('a\r\nb\rc\n'))).toEqual({ text: 'a\nb\nc\n', title: 'A\ntitle', link: null });
  });

  it('has a link that is a URI, in the text too', () => {
    const typed = 'https://münchen.de/straße';
    const uri = 'https://xn--mnchen-3ya.de/stra%C3%9Fe';
    expect(sentContent(content(`See ${typed}`, typed))).toMatchObject({ text: `See ${uri}`, link: uri });
    expect(sentContent(content('See münchen.de', typed))).toMatchObject({
      text: 'See münchen.de',
      link: uri,
    });
    expect(sentContent(content('See', 'no address'))).toMatchObject({ link: 'no address' });
  });

  it.each(PLATFORMS.filter((platform) => 'textLength' in networkOf(platform).rules))(
    'counts the same on %s with either end of lines',
    (platform) => {
      const checked = (text: string) => ({
        ...content(text, 'https://example.com/é'),
        ...{ target: {}, options: {}, media: [], account: null },
      });
      const counts = (text: string) => [
        textLengthOf(platform, checked(text)),
        preflightContent(platform, checked(text)),
      ];
      expect(counts('a\r\nb\r\n\r\nc')).toEqual(counts('a\nb\n\nc'));
    },
  );
});
