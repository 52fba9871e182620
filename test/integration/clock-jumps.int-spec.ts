import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { type BootedIdentity, bootIdentity, PASSWORD } from '../support/boot-identity.js';
import { BusinessApi } from '../support/business-api.js';
import { type Call, callOf } from '../support/call.js';
import { inHours } from '../support/content-stage.js';
import { bearer } from '../support/walk.js';

const HOUR_MS = 3_600_000;
/** Timers run in real time; only `Date` is wrong. */
const REAL = [
  ...([
    'setTimeout',
    'setInterval',
    'setImmediate',
    'clearTimeout',
    'clearInterval',
    'clearImmediate',
  ] as const),
  ...(['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const),
];

/** Runs it while the clock of this process, and so of the services in it, is wrong by so many hours. */
async function whileClockIsWrong<T>(hours: number, work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ now: Date.now() + hours * HOUR_MS, doNotFake: [...REAL] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}

describe('a process whose clock is wrong', () => {
  let identity: BootedIdentity;
  let api: BusinessApi;
  let person: Call;
  let brandId: string;

  beforeAll(async () => {
    [identity, api] = await Promise.all([bootIdentity(), BusinessApi.start()]);
    person = api.as(api.person().token);
    brandId = (await person('POST', '/api/brands', { name: 'Acme' })).body.id as string;
  });
  afterAll(async () => {
    await api.stop();
    await identity.close();
  });

  const me = async (token: string) =>
    (await callOf(identity.service.url, bearer(token))('GET', '/api/auth/me')).status;
  const signIn = async (email: string) => {
    const answer = await callOf(identity.service.url, {})('POST', '/api/auth/login', {
      email,
      password: PASSWORD,
    });
    expect(answer.status).toBe(200);
    return answer.body as { accessToken: string; refreshToken: string; expiresAt: string };
  };
  const refresh = async (refreshToken: string) =>
    callOf(identity.service.url, {})('POST', '/api/auth/refresh', { refreshToken });
  const inTheDatabase = async (value: string): Promise<number> => {
    const [row] = await identity.test.database.query<{ minutes: number }>(
      `SELECT extract(epoch FROM $1::timestamptz - now()) / 60 AS minutes`,
      [value],
    );
    return Number(row?.minutes);
  };

  describe.each([-30, -2, 2, 30])('by %i hours', (hours) => {
    it('accepts earlier tokens, and issues tokens with the configured lifetime', async () => {
      const before = await identity.person();
      await whileClockIsWrong(hours, async () => {
        expect(await me(before.token)).toBe(200);
        const given = await signIn(before.email);
        expect(await me(given.accessToken)).toBe(200);
        const minutes = await inTheDatabase(given.expiresAt);
        expect(minutes).toBeLessThanOrEqual(60);
        expect(minutes).toBeGreaterThan(30);
        const renewed = await refresh(before.refreshToken);
        expect(renewed.status).toBe(200);
        expect(await me(renewed.body.accessToken as string)).toBe(200);
      });
      const again = await signIn(before.email);
      expect(await me(again.accessToken)).toBe(200);
    });

    it('does not revive a token that is over', async () => {
      const { email } = await identity.person();
      const { accessToken, refreshToken } = await signIn(email);
      await identity.test.database.query(
        `UPDATE identity.access_token SET expires_at = now() - interval '1 second' WHERE expires_at > now()`,
      );
      await whileClockIsWrong(hours, async () => {
        expect(await me(accessToken)).toBe(401);
        expect((await refresh(refreshToken)).status).toBe(200);
      });
    });

    it('replays a repeated request, and does not take over a running one', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const post = { brandId, platform: 'x', text: `Once ${randomUUID()}` };
      const first = await person('POST', '/api/posts', post, key);
      expect(first.status).toBe(201);
      const running = { 'idempotency-key': randomUUID() };
      await person('POST', '/api/posts', { ...post, text: 'Still running' }, running);
      await api.test.database.query(
        `UPDATE http.idempotent_request SET response = NULL, lease_until = now() + interval '1 hour'
       WHERE expires_at = (SELECT max(expires_at) FROM http.idempotent_request)`,
      );
      await whileClockIsWrong(hours, async () => {
        const repeated = await person('POST', '/api/posts', post, key);
        expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
        expect(repeated.text).toBe(first.text);
        const second = await person('POST', '/api/posts', { ...post, text: 'Still running' }, running);
        expect([second.status, second.body.code]).toEqual([409, 'idempotent_request_running']);
      });
    });

    it('accepts future times, refuses past ones, and stores the sent values', async () => {
      const [ahead, past] = [inHours(1), inHours(-1)];
      await whileClockIsWrong(hours, async () => {
        const post = (scheduledAt: string) =>
          person('POST', '/api/posts', { brandId, platform: 'x', text: randomUUID(), scheduledAt });
        const taken = await post(ahead);
        expect([taken.status, taken.body.scheduledAt]).toEqual([201, ahead]);
        expect((await post(past)).status).toBe(400);
        const moved = await person('POST', `/api/content-ops/items/${taken.body.id as string}/reschedule`, {
          scheduledAt: past,
        });
        expect(moved.status).toBe(400);
      });
    });
  });
});
