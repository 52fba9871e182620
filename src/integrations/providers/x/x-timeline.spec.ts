import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { isAttempt, XTimeline } from './x-timeline.js';

const request = (text: string, more: Partial<ReconcileRequest['content']> = {}): ReconcileRequest => ({
  account: { accountId: '7', username: 'acme', facts: {} },
  accessToken: 'token',
  organizationId: 'o',
  content: { text, title: null, link: null, mediaIds: [], target: {}, options: {}, replyTo: null, ...more },
  prepared: null,
  since: '2026-01-15T10:00:00.000Z',
});
const seen = (text: string, more: object = {}) => ({
  id: '1',
  text,
  created_at: '2026-01-15T10:00:01.000Z',
  ...more,
});

describe('reading the newest posts', () => {
  const reply = (references: object) => ({
    ...{ id: '7', text: 'Hello', created_at: '2026-01-15T10:00:01.000Z' },
    ...references,
  });
  const replied = [{ type: 'replied_to', id: '5' }];
  const answered = (status: number, body: unknown) => ({ kind: 'answered', status, headers: {}, body });
  const find = async (responses: readonly object[]) => {
    const asked: URLSearchParams[] = [];
    const send = ({ url }: { url: string }) => {
      asked.push(new URL(url).searchParams);
      return Promise.resolve(responses[asked.length - 1]);
    };
    const config = { apiUrl: 'https://api.x.test', webUrl: 'https://x.test' };
    const timeline = new XTimeline({ send } as never, config as never);
    const found = await timeline.find(request('Hello', { replyTo: '5' }));
    return { asked: asked.map((query) => [...query.keys()]), kind: found.kind };
  };

  it('asks by the names of the current API file', async () => {
    const current = answered(200, { data: [reply({ referenced_posts: replied })] });
    const asked = [['max_results', 'post.fields', 'expansions']];
    expect(await find([current])).toEqual({ asked, kind: 'found' });
  });

  it('reads the former names too', async () => {
    expect((await find([answered(200, { data: [reply({ referenced_tweets: replied })] })])).kind).toBe(
      'found',
    );
  });

  it('asks once more by the former names where the current ones are refused', async () => {
    const former = answered(200, { data: [reply({ referenced_tweets: replied })] });
    const asked = [
      ['max_results', 'post.fields', 'expansions'],
      ['max_results', 'tweet.fields'],
    ];
    expect(await find([answered(400, {}), former])).toEqual({ asked, kind: 'found' });
    expect(await find([answered(400, {}), answered(400, {})])).toEqual({ asked, kind: 'unknown' });
    expect((await find([answered(503, {})])).asked).toHaveLength(1);
  });
});

describe('recognising an attempt among the newest posts', () => {
  it('finds the same text as X shows it', () => {
    const urls = [{ url: 'https://t.co/abc', expanded_url: 'https://example.com/a?b=1&c=$&' }];
    const shown = seen('Tea &amp; cake &lt;3 https://t.co/abc', { entities: { urls } });
    expect(isAttempt(shown, request('Tea & cake <3 https://example.com/a?b=1&c=$&'))).toBe(true);
    const bare = [{ url: 'https://t.co/abc', expanded_url: 'http://example.com' }];
    expect(
      isAttempt(seen('See https://t.co/abc', { entities: { urls: bare } }), request('See example.com')),
    ).toBe(true);
    expect(isAttempt(seen('Caf\u00e9'), request('Cafe\u0301'))).toBe(true);
    expect(isAttempt(seen('Hello'), request('Hello there'))).toBe(false);
  });

  it('takes nothing older than the attempt for it, but allows for times in whole seconds', () => {
    expect(isAttempt(seen('Hello', { created_at: '2026-01-15T09:59:59.000Z' }), request('Hello'))).toBe(true);
    expect(isAttempt(seen('Hello', { created_at: '2026-01-15T09:59:57.000Z' }), request('Hello'))).toBe(
      false,
    );
    expect(isAttempt(seen('Hello', { created_at: undefined }), request('Hello'))).toBe(false);
  });

  describe('with files', () => {
    const notes = { 'key-0': '3_11', 'key-1': '3_12' };
    const prepared = { ids: {}, addresses: {}, notes, ageMs: 0 };
    const two = (text: string, more: Partial<ReconcileRequest> = {}) => ({
      ...request(text, { mediaIds: ['a', 'b'] }),
      prepared,
      ...more,
    });
    const url = 'https://t.co/media';
    const shown = (text: string, keys: readonly string[]) =>
      seen(text, {
        attachments: { media_keys: keys },
        entities: {
          urls: keys.map((key) => ({ url, media_key: key, expanded_url: 'https://x.test/photo/1' })),
        },
      });

    it('finds the same files, whatever the text', () => {
      expect(isAttempt(shown(`Tea ${url}`, ['3_11', '3_12']), two('Tea'))).toBe(true);
      expect(isAttempt(shown(url, ['7_11', '7_12']), two(''))).toBe(true);
    });

    it('takes no post with other files for it, nor one without', () => {
      for (const keys of [['3_11'], ['3_12', '3_11'], ['3_11', '3_13'], []])
        expect(isAttempt(shown(`Tea ${url}`, keys), two('Tea'))).toBe(false);
      expect(isAttempt(seen('Tea'), two('Tea'))).toBe(false);
    });

    it('goes by text and number of files when the files are not known, and by nothing without a text', () => {
      const keys = ['3_91', '3_92'];
      const forgotten = { prepared: null };
      expect(isAttempt(shown(`Tea ${url}`, keys), two('Tea', forgotten))).toBe(true);
      expect(isAttempt(shown(`Tea and cake ${url}`, keys), two('Tea', forgotten))).toBe(false);
      expect(isAttempt(shown(`Tea ${url}`, ['3_91']), two('Tea', forgotten))).toBe(false);
      expect(isAttempt(shown(url, keys), two('', forgotten))).toBe(false);
      const half = { prepared: { ...prepared, notes: { 'key-0': '3_11' } } };
      expect(isAttempt(shown(url, ['3_11', '3_12']), two('', half))).toBe(false);
    });

    it('is not older than the attempt', () => {
      const old = { ...shown(url, ['3_11', '3_12']), created_at: '2026-01-15T09:59:57.000Z' };
      expect(isAttempt(old, two(''))).toBe(false);
    });

    it('is no post of text alone with the same text', () => {
      expect(isAttempt(shown(`Tea ${url}`, ['3_11']), request('Tea'))).toBe(false);
    });
  });

  it('tells a reply from a post of its own', () => {
    const reply = seen('Hello', { referenced_tweets: [{ type: 'replied_to', id: '5' }] });
    expect(isAttempt(reply, request('Hello', { replyTo: '5' }))).toBe(true);
    expect(isAttempt(reply, request('Hello', { replyTo: '6' }))).toBe(false);
    expect(isAttempt(reply, request('Hello'))).toBe(false);
    expect(isAttempt(seen('Hello'), request('Hello', { replyTo: '5' }))).toBe(false);
  });
});
