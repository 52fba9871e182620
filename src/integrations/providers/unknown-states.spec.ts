import { SystemClock } from '#libs/clock';
import type { OutboundResponse } from '#libs/outbound-http';
import type { PrepareCall, ReconcileRequest } from '../domain/provider-publishing.js';
import type { ContainerApi } from './containers/container-api.js';
import type { ContainerNetwork } from './containers/container-network.js';
import { ContainerPreparation } from './containers/container-preparation.js';
import { ContainerSearch } from './containers/container-search.js';
import { instagramContainers } from './instagram/instagram-containers.js';
import type { LinkedInCalls } from './linkedin/linkedin-calls.js';
import { LinkedInMediaUpload } from './linkedin/linkedin-media-upload.js';
import { MEMBER } from './linkedin/linkedin-variants.js';
import { threadsContainers } from './threads/threads-containers.js';
import type { TikTokApi } from './tiktok/tiktok-api.js';
import { TikTokStatus } from './tiktok/tiktok-status.js';
import { processed } from './x/x-media-responses.js';

/** Networks add states. One that is not known ends nothing: the network is asked again, within the budget of the wait. */
const STATE = 'A_STATE_OF_TOMORROW';

const clock = new SystemClock();
const answered = (body: unknown): OutboundResponse => ({ kind: 'answered', status: 200, headers: {}, body });
const files = [{ kind: 'image' }] as unknown as PrepareCall['files'];
const content = { text: 'Hello', link: null, mediaIds: ['m'], options: {}, replyTo: null };
const prepared = {
  ids: { container: '17', publish: 'v_pub_file~v2.1', 'media-0': '1' },
  addresses: {},
  notes: {},
  ageMs: 0,
};
const call = (step: string) =>
  ({ step, content, files, prepared, account: {}, accessToken: 't' }) as unknown as PrepareCall;
const request = {
  prepared,
  content,
  account: { username: 'u' },
  since: new Date(0).toISOString(),
  accessToken: 't',
} as unknown as ReconcileRequest;

describe('a state of a file that is not known', () => {
  it('is waited for at X', () => {
    const state = (value: unknown) =>
      processed({ data: { id: '1', processing_info: { state: value } } }, call('status/0'), 0);
    expect(state(STATE)).toMatchObject({ kind: 'wait', step: 'status/0' });
    expect(state(7)).toBeNull();
  });

  it.each(['status/0', 'confirm/0'])('is waited for at LinkedIn, in the step %s', async (step) => {
    const calls = { get: () => Promise.resolve(answered({ status: STATE })) } as unknown as LinkedInCalls;
    const upload = new LinkedInMediaUpload(null as never, calls, null as never, clock);
    expect(await upload.prepare(MEMBER, call(step))).toMatchObject({ kind: 'wait', step });
  });
});

describe.each<[string, string, ContainerNetwork]>([
  ['Instagram', 'status_code', instagramContainers('https://graph.test', 'https://web.test', clock)],
  ['Threads', 'status', threadsContainers('https://graph.test', 'https://web.test', clock)],
])('a state of a container of %s that is not known', (_, field, network) => {
  const post = { id: '99', caption: 'Hello', text: 'Hello', timestamp: new Date().toISOString() };
  const api = {
    status: () => Promise.resolve(answered({ [field]: STATE })),
    list: () => Promise.resolve(answered({ data: [post] })),
  } as unknown as ContainerApi;

  it('is waited for', async () => {
    const response = await new ContainerPreparation(network, api).prepare(call('status'));
    expect(response).toMatchObject({ kind: 'wait', step: 'status' });
  });

  it('leaves the list of the account as evidence', async () => {
    const found = await new ContainerSearch(network, api, clock).find(request);
    expect(found).toMatchObject({ kind: 'found', posts: [{ platformPostId: '99' }] });
  });
});

it('A state of a post that is not known is asked for again at TikTok.', async () => {
  const find = (status: unknown) => {
    const body = { error: { code: 'ok' }, data: { status } };
    const api = { status: () => Promise.resolve(answered(body)) } as unknown as TikTokApi;
    return new TikTokStatus(api, null as never, clock).find(request);
  };
  expect(await find(STATE)).toMatchObject({ kind: 'pending' });
  expect(await find(undefined)).toEqual({ kind: 'unknown' });
});
