import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { isAttempt } from './x-timeline.js';

const request = (text: string, more: Partial<ReconcileRequest['content']> = {}): ReconcileRequest => ({
  account: { accountId: '7', username: 'acme' },
  accessToken: 'token',
  content: { text, title: null, link: null, mediaIds: [], target: {}, replyTo: null, ...more },
  prepared: null,
  since: '2026-01-15T10:00:00.000Z',
});
const seen = (text: string, more: object = {}) => ({
  id: '1',
  text,
  created_at: '2026-01-15T10:00:01.000Z',
  ...more,
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

  it('tells a reply from a post of its own', () => {
    const reply = seen('Hello', { referenced_tweets: [{ type: 'replied_to', id: '5' }] });
    expect(isAttempt(reply, request('Hello', { replyTo: '5' }))).toBe(true);
    expect(isAttempt(reply, request('Hello', { replyTo: '6' }))).toBe(false);
    expect(isAttempt(reply, request('Hello'))).toBe(false);
    expect(isAttempt(seen('Hello'), request('Hello', { replyTo: '5' }))).toBe(false);
  });
});
