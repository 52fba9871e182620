import type { OutboundHttp, OutboundResponse } from '#libs/outbound-http';
import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import type { FacebookCalls } from './facebook-calls.js';
import { FacebookVideoStatus } from './facebook-video-status.js';

const calls = {
  site: 'https://www.facebook.example',
  object: (id: string) => `https://graph.example/${id}`,
  permalink: (id: string) => `https://www.facebook.example/${id}`,
} as FacebookCalls;

const find = (response: OutboundResponse) => {
  const http = { send: () => Promise.resolve(response) } as unknown as OutboundHttp;
  return new FacebookVideoStatus(http, calls).find({ accessToken: 't' } as ReconcileRequest, '17');
};
const answered = (body: unknown, status = 200): OutboundResponse => ({
  kind: 'answered',
  status,
  headers: {},
  body,
});
const state = (video_status: string, publishing?: string, processing?: string) =>
  answered({
    permalink_url: '/reel/17/',
    status: {
      video_status,
      ...(publishing && { publishing_phase: { status: publishing } }),
      ...(processing && { processing_phase: { status: processing } }),
    },
  });

describe('the state of a video that Facebook has', () => {
  it.each([
    ['is live', state('ready', 'complete'), 'found'],
    ['is live in the form without phases', state('ready'), 'found'],
    ['waits for its processing', state('upload_complete', 'not_started'), 'pending'],
    ['is being processed', state('processing', 'not_started', 'in_progress'), 'pending'],
    ['is being published', state('ready', 'in_progress'), 'pending'],
    ['is in a state that is not known', state('a_state_of_tomorrow', 'not_started'), 'pending'],
    ['is being published in a phase that is not known', state('ready', 'queued'), 'pending'],
    ['was never published', state('ready', 'not_started'), 'unknown'],
    ['is not complete', state('uploading', 'not_started', 'not_started'), 'unknown'],
    ['could not be processed', state('error'), 'refused'],
    ['could not be processed, by its phase', state('processing', 'not_started', 'error'), 'refused'],
    ['is too old', state('expired'), 'refused'],
    ['is not shown', answered({ error: { code: 100, error_subcode: 33 } }, 400), 'unknown'],
    ['has no state', answered({ id: '17' }), 'unknown'],
    ['is not readable', answered(undefined), 'unknown'],
    ['cannot be asked for', { kind: 'no-answer', reason: 'ECONNRESET' } as const, 'unknown'],
  ])('%s', async (_, response, kind) => {
    expect((await find(response)).kind).toBe(kind);
  });

  it('has the address that Facebook states, as a path or whole, else one by its id', async () => {
    const urlOf = async (permalink_url: unknown) => {
      const found = await find(answered({ permalink_url, status: { video_status: 'ready' } }));
      return found.kind === 'found' ? found.posts[0]?.platformPostUrl : found.kind;
    };
    expect(await urlOf('/reel/17/')).toBe('https://www.facebook.example/reel/17/');
    expect(await urlOf('https://www.facebook.com/reel/17/')).toBe('https://www.facebook.com/reel/17/');
    expect(await urlOf('javascript:alert(1)')).toBe('https://www.facebook.example/17');
    expect(await urlOf(undefined)).toBe('https://www.facebook.example/17');
  });
});
