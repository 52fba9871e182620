import { plainText } from './plain-text.js';
import { MAX_FEED_TRENDS, readFeed } from './read-feed.js';

const document = (text: string | Uint8Array, contentType = '') => ({
  bytes: typeof text === 'string' ? Buffer.from(text) : text,
  contentType,
  url: 'https://news.example.com/feeds/all.xml',
  now: '2026-11-23T12:00:00.000Z',
});
const rss = (items: string, channel = '<title>News</title>') =>
  `<?xml version="1.0"?><rss version="2.0"><channel>${channel}${items}</channel></rss>`;
const read = (text: string) => readFeed(document(text));

describe('a feed', () => {
  it('of RSS has plain titles, absolute links and past dates', () => {
    const feed = read(
      rss(
        `<item><title><![CDATA[<b>Cold</b>&nbsp;brew &amp; more]]></title><link>/a?b=1</link>
         <description>&lt;p&gt;Up &lt;3 since 2019&lt;script&gt;x()&lt;/script&gt;&lt;/p&gt;</description>
         <pubDate>Mon, 23 Nov 2026 10:00:00 GMT</pubDate><guid>1</guid></item>
         <item><title>Later</title><link>b.html</link><pubDate>Tue, 24 Nov 2026 10:00:00 GMT</pubDate></item>`,
        '<title>Coffee &amp;amp; News</title>',
      ),
    );
    expect(feed).toEqual({
      title: 'Coffee & News',
      dropped: 0,
      trends: [
        {
          title: 'Cold brew & more',
          summary: 'Up <3 since 2019',
          link: 'https://news.example.com/a?b=1',
          publishedAt: '2026-11-23T10:00:00.000Z',
          identity: '1',
        },
        {
          title: 'Later',
          summary: '',
          link: 'https://news.example.com/feeds/b.html',
          publishedAt: null,
          identity: 'https://news.example.com/feeds/b.html',
        },
      ],
    });
  });

  it('of RSS can give the address of an item as its guid', () => {
    const items = [
      '<guid>https://a.example/1</guid>',
      '<guid isPermaLink="false">https://a.example/2</guid>',
    ];
    const { trends } = read(
      rss(items.map((guid, at) => `<item><title>T${at}</title>${guid}</item>`).join('')),
    );
    expect(trends.map(({ link }) => link)).toEqual(['https://a.example/1', null]);
  });

  it('of Atom resolves links by xml:base', () => {
    const { title, trends } = read(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/">
      <title type="html">&lt;i&gt;Blog&lt;/i&gt;</title>
      <entry><id>urn:1</id><title>One</title><link rel="self" href="self"/><link href="one"/>
      <updated>2026-11-20T10:00:00Z</updated><summary>S</summary></entry></feed>`);
    expect(title).toBe('Blog');
    expect(trends).toEqual([
      expect.objectContaining({
        link: 'https://news.example.com/blog/one',
        publishedAt: '2026-11-20T10:00:00.000Z',
      }),
    ]);
  });

  it('can be RDF or JSON', () => {
    const rdf = read(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>R</title></channel>
      <item><title>In RDF</title><link>http://r.example/</link><dc:date>2026-01-01</dc:date></item></rdf:RDF>`);
    const json = read(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'J',
        items: [{ id: '1', url: '/j', title: 'In JSON', content_html: '<p>x</p>' }],
      }),
    );
    expect([...rdf.trends, ...json.trends].map(({ title }) => title)).toEqual(['In RDF', 'In JSON']);
  });

  it('drops items without text, and links that are no web addresses', () => {
    const feed = read(
      rss(`<item><link>/a</link></item><item><title>&lt;img src=x&gt;</title></item>
      <item><description>Only a description</description><link>javascript:alert(1)</link></item>`),
    );
    expect(feed).toMatchObject({ dropped: 2, trends: [{ title: 'Only a description', link: null }] });
  });

  it('gives its newest items, in any order of the feed', () => {
    const aDay = (day: number) => new Date(Date.UTC(2026, 9, day)).toUTCString();
    const items = Array.from({ length: MAX_FEED_TRENDS + 10 }, (_, day) => {
      return `<item><title>Day ${day}</title><pubDate>${aDay(day)}</pubDate></item>`;
    });
    const bad = '<item><link>/a</link></item>'.repeat(MAX_FEED_TRENDS);
    const undated = '<item><title>Undated</title></item><item><title>Day 39</title></item>';
    const { trends, dropped } = read(rss(bad + undated + items.join('')));
    expect([trends.length, dropped]).toEqual([MAX_FEED_TRENDS, MAX_FEED_TRENDS]);
    expect(trends.slice(0, 2).map(({ title }) => title)).toEqual(['Day 39', 'Day 38']);
    expect(trends.at(-1)?.title).toBe('Day 10');
  });

  it('without dates keeps its order', () => {
    const items = Array.from(
      { length: MAX_FEED_TRENDS + 1 },
      (_, at) => `<item><title>T${at}</title></item>`,
    );
    const { trends } = read(rss(items.join('')));
    expect(trends.map(({ title }) => title)).toEqual(
      Array.from({ length: MAX_FEED_TRENDS }, (_, at) => `T${at}`),
    );
  });

  it('is read in its character set', () => {
    const latin = Buffer.from(
      rss('<item><title>Café</title></item>').replace('?>', ' encoding="ISO-8859-1"?>'),
      'latin1',
    );
    expect(readFeed(document(latin)).trends[0]?.title).toBe('Café');
    const text = Buffer.from(rss('<item><title>Café</title></item>'), 'latin1');
    expect(readFeed(document(text, 'text/xml; charset=windows-1252')).trends[0]?.title).toBe('Café');
    expect(
      readFeed(document(rss('<item><title>É</title></item>'), 'a/b; charset=no-such')).trends[0]?.title,
    ).toBe('É');
  });

  it.each([
    ['well-formed UTF-8, against both', 'utf8', ' encoding="ISO-8859-1"?>', 'text/xml; charset=windows-1252'],
    ['the declaration, against the header', 'latin1', ' encoding="ISO-8859-1"?>', 'text/xml; charset=utf-8'],
    ['UTF-16 without a mark, as declared', 'utf16le', ' encoding="UTF-16LE"?>', 'text/xml; charset=utf-16le'],
  ] as const)('is read by the best evidence: %s', (_, encoding, declaration, header) => {
    const text = rss(
      '<item><title>Café 名</title></item>'.replace(encoding === 'latin1' ? ' 名' : '', ''),
    ).replace('?>', declaration);
    expect(readFeed(document(Buffer.from(text, encoding), header)).trends[0]?.title).toContain('Café');
  });

  it.each(['utf-8', 'windows-1252'])('is read by its mark, against a header of %s', (charset) => {
    const marked = Buffer.from(`\ufeff${rss('<item><title>Café</title></item>')}`, 'utf16le');
    expect(readFeed(document(marked, `text/xml; charset=${charset}`)).trends[0]?.title).toBe('Café');
  });

  it('without a title is named by its host', () =>
    expect(read(rss('<item><title>T</title></item>', '<link>/</link>')).title).toBe('news.example.com'));

  it.each(['', '<!doctype html><html><body>Not found</body></html>', '{}', 'text', '<rss>'])(
    '%j is none',
    (text) => expect(() => read(text)).toThrow(),
  );
});

describe('plain text', () => {
  it.each([
    ['1 < 2 > 0 <3', '1 < 2 > 0 <3'],
    ['a<!-- b -->c', 'a c'],
    ['<style>x{}</style>Text<script>', 'Text'],
    ['&lt;b&gt; stays text', '<b> stays text'],
    [`${'<'.repeat(100_000)}`, '<'.repeat(99)],
  ])('of %j', (html, text) => expect(plainText(html, 100)).toContain(text));
});
