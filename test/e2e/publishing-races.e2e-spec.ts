import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BusinessApi } from '../support/business-api.js';
import type { ApiResponse, Call, Method } from '../support/call.js';
import { Documented } from '../support/documented.js';
import { Gate } from '../support/gate.js';
import { PublishingForTests } from '../support/publishing.js';
import { waitUntil } from '../support/wait-until.js';

const BY_ITSELF_MS = 90_000;
const RACES = 36;
/** So long that a busy machine has stored it before it is due. */
const AHEAD_MS = 10_000;
/** Requests arrive from so long before the due time until as long after it. */
const AROUND_MS = 400;

interface Change {
  readonly name: string;
  readonly operation: string;
  readonly body?: (text: string) => object;
  readonly is: 'edit' | 'move' | 'removal';
}

const inAnHour = () => ({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
const OWN = '/api/posts/{postId}';
const ITEM = '/api/content-ops/items/{contentId}';
const CHANGES: Change[] = [
  { name: 'text', operation: `put ${OWN}`, body: (text) => ({ text }), is: 'edit' },
  { name: 'text of the item', operation: `patch ${ITEM}`, body: (text) => ({ text }), is: 'edit' },
  { name: 'another time', operation: `put ${OWN}`, body: inAnHour, is: 'move' },
  { name: 'another time for the item', operation: `post ${ITEM}/reschedule`, body: inAnHour, is: 'move' },
  { name: 'back to draft', operation: `put ${OWN}`, body: () => ({ status: 'draft' }), is: 'move' },
  { name: 'removal', operation: `delete ${OWN}`, is: 'removal' },
];

describe('what people do while a post goes out', () => {
  let api: BusinessApi;
  let world: PublishingForTests;
  let gate: Gate;
  let documented: Documented;
  let person: Call;
  let userId: string;

  beforeAll(async () => {
    gate = await Gate.build();
    api = await BusinessApi.start();
    const drop = () => Promise.resolve();
    world = await PublishingForTests.start(
      // Long, so that whatever a busy machine does no answer of the network is missed.
      { X_API_URL: `${gate.url}/x`, NETWORK_TIMEOUT_MS: '25000', PUBLISH_LEASE_MS: '60000' },
      { ...api.test, drop },
    );
    gate.leadsTo(world.sandbox.url);
    documented = await Documented.by(api.service.url);
    const { id, token } = api.person();
    [userId, person] = [id, api.as(token)];
    await world.worker();
  });
  afterEach(() => gate.open());
  afterAll(async () => {
    await world.stop();
    await gate.close();
    await api.stop();
  });

  /** A post of a brand and account of its own. */
  const schedule = async (words = 'First words') => {
    const brandId = (await person('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    await world.connect(brandId, userId);
    const text = `${words} ${randomUUID()}`;
    const scheduledAt = new Date(Date.now() + AHEAD_MS).toISOString();
    const { status, body } = await person('POST', '/api/posts', {
      brandId,
      platform: 'x',
      text,
      scheduledAt,
    });
    expect(status).toBe(201);
    return {
      id: body.id as string,
      text,
      version: body.version as number,
      due: performance.now() + AHEAD_MS,
    };
  };
  const send = async (
    { operation, body }: Change,
    id: string,
    text: string,
    ifMatch?: string,
  ): Promise<ApiResponse> => {
    const [method = '', path = ''] = operation.split(' ');
    const answer = await person(
      method.toUpperCase() as Method,
      path.replace(/\{\w+\}/, id),
      body?.(text),
      ifMatch ? { 'if-match': ifMatch } : {},
    );
    documented.check(operation, answer);
    return answer;
  };
  const said = ({ status, body }: ApiResponse) => [status, body?.code as string];
  const published = async (id: string) => {
    await waitUntil(async () => (await world.history(id)).includes('PostPublished'), BY_ITSELF_MS);
    return (await person('GET', `/api/posts/${id}`)).body.status as string;
  };

  it('is refused while the network has it, and what is live is what was stored', async () => {
    gate.shut();
    const post = await schedule();
    await waitUntil(() => gate.waiting > 0, BY_ITSELF_MS);
    const shown = await person('GET', `/api/posts/${post.id}`);
    expect(shown.body).toMatchObject({ status: 'scheduled', isBeingSent: true, text: post.text });
    for (const change of CHANGES) {
      const answers = await Promise.all([
        send(change, post.id, 'Other words'),
        send(change, post.id, 'Other words', `"v${shown.body.version as number}"`),
        send(change, post.id, 'Other words', `"v${post.version}"`),
      ]);
      const [now, current, stale] = answers.map(said);
      const busy = [409, 'publishing_in_progress'];
      expect({ [change.name]: [now, current] }).toEqual({ [change.name]: [busy, busy] });
      expect([409, 412]).toContain(stale?.[0]);
    }
    const retried = await person('POST', `/api/content-ops/items/${post.id}/retry`);
    documented.check(`post ${ITEM}/retry`, retried);
    expect(retried.status).toBe(409);
    gate.open();
    expect(await published(post.id)).toBe('published');
    const counts = await world.published();
    expect([counts[post.text], counts['Other words']]).toEqual([1, undefined]);
    for (const change of CHANGES.filter(({ is }) => is !== 'removal')) {
      expect((await send(change, post.id, 'Other words')).status).toBe(409);
    }
  });

  it('never lets old words out after an accepted edit, nor a post after an accepted move or removal', async () => {
    const races = await Promise.all(
      Array.from({ length: RACES }, async (_, index) => {
        const change = CHANGES[index % CHANGES.length] as Change;
        const post = await schedule();
        const at = post.due - AROUND_MS + (2 * AROUND_MS * index) / RACES;
        await pause(Math.max(0, at - performance.now()));
        const edited = `Last words ${post.id}`;
        const ifMatch = index % 4 === 0 ? `"v${post.version}"` : undefined;
        return { change, post, edited, answer: await send(change, post.id, edited, ifMatch) };
      }),
    );
    const soon = `SELECT FROM posts.publication WHERE due_at < now() + interval '10 minutes'`;
    await waitUntil(async () => (await api.test.database.query(soon)).length === 0, BY_ITSELF_MS);
    const counts = await world.published();
    for (const { change, post, edited, answer } of races) {
      const history = await world.history(post.id);
      const isAccepted = answer.status < 300;
      if (!isAccepted) expect([409, 412, 503]).toContain(answer.status);
      // A post that is live already may be removed here; on the network it stays.
      const wasLive = change.is === 'removal' && history.includes('PostPublished');
      const first = isAccepted && !wasLive ? undefined : 1;
      const last = isAccepted && change.is === 'edit' ? 1 : undefined;
      const what = { change: change.name, status: answer.status, history };
      expect({ ...what, first: counts[post.text], last: counts[edited] }).toEqual({ ...what, first, last });
    }
  });

  it('publishes a failed post once, however often it is retried and edited meanwhile', async () => {
    const [words, times] = ['Refused at first', 6];
    await world.sandbox.fault({ kind: 'forbidden', textContains: words, times });
    const posts = await Promise.all(Array.from({ length: times }, () => schedule(words)));
    for (const { id } of posts)
      await waitUntil(async () => (await world.history(id)).includes('PostPublishFailed'), BY_ITSELF_MS);
    const retry: Change = { name: 'retry', operation: `post ${ITEM}/retry`, is: 'edit' };
    await Promise.all(
      posts.map(async ({ id, text }) => {
        const edited = `Last words ${id}`;
        const [edit, ...retries] = await Promise.all([
          send(CHANGES[0] as Change, id, edited),
          ...[1, 2, 3].map(() => send(retry, id, '')),
        ]);
        for (const { status } of [edit, ...retries]) expect([200, 409]).toContain(status);
        expect(retries.map(({ status }) => status)).toContain(200);
        expect(await published(id)).toBe('published');
        const counts = await world.published();
        const [first, last] = edit.status === 200 ? [undefined, 1] : [1, undefined];
        expect({ id, first: counts[text], last: counts[edited] }).toEqual({ id, first, last });
      }),
    );
  });
});
