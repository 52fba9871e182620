import type { ThreadResult } from '#libs/concurrency';
import { FeedParser } from './feed-parser.js';

const DOCUMENT = {
  bytes: Buffer.from(''),
  contentType: '',
  url: 'https://a.example/',
  now: '2026-11-23T12:00:00.000Z',
};

/** Its threads end when the test says so. */
class HeldParser extends FeedParser {
  started = 0;
  private readonly ended = Promise.withResolvers<ThreadResult>();

  end(result: ThreadResult): void {
    this.ended.resolve(result);
  }

  protected override run(): Promise<ThreadResult> {
    this.started += 1;
    return this.ended.promise;
  }
}

describe('the parser of feeds', () => {
  it.each([
    ['out_of_time', 'feed_too_complex'],
    ['out_of_memory', 'feed_too_complex'],
    ['error', 'not_a_feed'],
  ] as const)('refuses a feed whose thread ends with %s', async (reason, code) => {
    const parser = new HeldParser();
    parser.end({ kind: 'failed', reason });
    expect(await parser.parse(DOCUMENT, 'a')).toEqual({ kind: 'refused', code });
  });

  it('runs two threads, and refuses feeds of an organization while many of it wait', async () => {
    const parser = new HeldParser();
    const parsed = Array.from({ length: 2 + 16 }, () => parser.parse(DOCUMENT, 'a'));
    expect(await parser.parse(DOCUMENT, 'a')).toEqual({ kind: 'refused', code: 'too_many_feeds' });
    parsed.push(parser.parse(DOCUMENT, 'b'));
    expect(parser.started).toBe(2);
    parser.end({ kind: 'done', output: { title: 'T', trends: [], dropped: 0 } });
    expect(new Set((await Promise.all(parsed)).map(({ kind }) => kind))).toEqual(new Set(['parsed']));
    expect(parser.started).toBe(19);
  });
});
