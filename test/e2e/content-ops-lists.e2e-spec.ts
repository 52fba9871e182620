import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';
import { ContentStage, inHours } from '../support/content-stage.js';

const QUEUE = '/api/content-ops/queue';
const EVENTS = '/api/content-ops/events';
const DAILY = '/api/content-ops/daily';

interface Entry {
  contentId: string;
  queueState: string;
  kind: string;
  at: string;
  id: string;
}

describe('lists of content operations', () => {
  let api: BusinessApi;
  let stage: ContentStage;
  let call: Call;
  let made: Record<'doubt' | 'failed' | 'soon' | 'late' | 'timeless' | 'needsTime' | 'scheduled', string>;

  beforeAll(async () => {
    api = await BusinessApi.start();
    stage = await ContentStage.set(api, 'Australia/Eucla');
    call = stage.person;
    const needsTime = await stage.suggestion();
    await call('POST', `/api/content-ops/items/${needsTime}/approve`);
    made = {
      scheduled: await stage.scheduled(inHours(3)),
      timeless: await stage.suggestion(),
      late: await stage.suggestion(inHours(20)),
      soon: await stage.suggestion(inHours(10)),
      failed: await stage.failed(),
      doubt: await stage.failed('unconfirmed'),
      needsTime,
    };
    await stage.draft();
    await stage.published();
    await api.followed();
  });

  afterAll(() => api.stop());

  describe('the queue', () => {
    const idsOf = async (query: string, as: Call = call) =>
      (await as('GET', `${QUEUE}${query}`)).body.data.map(({ contentId }: Entry) => contentId);

    it('contains the actionable items, most urgent first', async () => {
      const { doubt, failed, soon, late, needsTime, timeless, scheduled } = made;
      expect(await idsOf('')).toEqual([doubt, failed, soon, late, needsTime, timeless, scheduled]);
    });

    it('gives the reason and the safe actions of each item', async () => {
      const { data } = (await call('GET', QUEUE)).body;
      const of = (id: string) => data.find(({ contentId }: Entry) => contentId === id);
      expect(of(made.doubt)).toMatchObject({ queueState: 'failed', failure: { class: 'unconfirmed' } });
      expect(of(made.soon)).toMatchObject({ queueState: 'pending', approvalState: 'pending' });
      expect(of(made.needsTime).safeActions).toEqual(
        expect.arrayContaining([expect.objectContaining({ action: 'reschedule' })]),
      );
    });

    it.each([
      ['?state=failed', ['doubt', 'failed']],
      ['?state=pending,needs_time', ['soon', 'late', 'needsTime', 'timeless']],
      ['?state=scheduled&state=needs_time', ['needsTime', 'scheduled']],
      ['?state=nonsense&limit=2', ['doubt', 'failed']],
      ['?platform=linkedin', []],
      ['?platform=x&state=scheduled', ['scheduled']],
    ])('filters by %s', async (query, names) => {
      expect(await idsOf(query)).toEqual(names.map((name) => made[name as keyof typeof made]));
    });

    it('returns the items between two instants', async () => {
      const between = (from: number, to: number) =>
        idsOf(`?from=${encodeURIComponent(inHours(from))}&to=${encodeURIComponent(inHours(to))}`);
      expect(await between(2, 4)).toEqual([made.scheduled]);
      expect(await between(9, 21)).toEqual([made.soon, made.late]);
      expect(await idsOf('?from=yesterday&limit=1')).toEqual([made.doubt]);
    });

    it('pages without repeats or gaps, with a link to the next page', async () => {
      const all = await idsOf('');
      const seen: string[] = [];
      let path = `${QUEUE}?limit=2`;
      for (;;) {
        const { body, headers } = await call('GET', path);
        seen.push(...body.data.map(({ contentId }: Entry) => contentId));
        expect(headers.get('link') === null).toBe(!body.pagination.hasMore);
        if (!body.pagination.hasMore) break;
        path = `${QUEUE}?limit=2&cursor=${body.pagination.nextCursor}`;
      }
      expect(seen).toEqual(all);
    });

    it.each(['limit=0', 'limit=-1', 'limit=1e9', 'limit=abc', 'cursor=forged', 'cursor=', 'unknown=1'])(
      'is never refused over %s',
      async (query) => expect((await call('GET', `${QUEUE}?${query}`)).status).toBe(200),
    );

    it('starts from the first page for a cursor of other filters', async () => {
      const { nextCursor } = (await call('GET', `${QUEUE}?limit=1`)).body.pagination;
      expect(await idsOf(`?state=failed&limit=1&cursor=${nextCursor}`)).toEqual([made.doubt]);
    });
  });

  describe('audit events', () => {
    const kindsOf = async (query: string) =>
      (await call('GET', `${EVENTS}?${query}`)).body.data.map(({ kind }: Entry) => kind);

    it('are in recorded order, or reversed on request', async () => {
      const forth = (await call('GET', `${EVENTS}?limit=100`)).body.data.map(({ id }: Entry) => id);
      const back = (await call('GET', `${EVENTS}?limit=100&order=desc`)).body.data.map(({ id }: Entry) => id);
      expect(forth).toHaveLength(21);
      expect(back).toEqual(forth.toReversed());
    });

    it('name the actor, the channel and the request', async () => {
      const id = await stage.suggestion();
      const key = stage.key();
      const rejected = await key('POST', `/api/content-ops/items/${id}/reject`, { reason: 'Off brand' });
      await api.followed();
      const { data } = (await call('GET', `${EVENTS}?contentId=${id}&kind=post.rejected`)).body;
      expect(data).toMatchObject([
        {
          ...{
            kind: 'post.rejected',
            contentId: id,
            brandId: stage.brandId,
            subjectType: 'post',
            version: 2,
          },
          ...{ organizationId: stage.organizationId, channel: 'api_key', changed: ['reason'] },
          actor: { type: 'api_key', name: 'Queue robot' },
          requestId: rejected.headers.get('x-request-id'),
          details: { reason: 'Off brand' },
        },
      ]);
      expect(data[0].hash).toMatch(/^[0-9a-f]{64}$/);
    });

    it('name the edited fields and no personal data', async () => {
      const id = await stage.draft();
      await call('PATCH', `/api/content-ops/items/${id}`, { text: 'Better', link: 'https://example.com' });
      await api.followed();
      const answer = await call('GET', `${EVENTS}?contentId=${id}`);
      expect(answer.body.data[1]).toMatchObject({ kind: 'post.edited', changed: ['link', 'text'] });
      expect(answer.body.data[1].actor.name).toBeNull();
      expect(answer.text).not.toMatch(/Lovelace|example\.com@|@example/);
    });

    it.each([
      ['kind=post.suggested&kind=brand.created', 'limit=100'],
      ['kind=post.suggested,brand.created', 'limit=100'],
    ])('filter by kind: %s', async (query, limit) => {
      expect(new Set(await kindsOf(`${query}&${limit}`))).toEqual(
        new Set(['brand.created', 'post.suggested']),
      );
    });

    it('filter by content, actor and time', async () => {
      expect(await kindsOf(`contentId=${made.failed}`)).toEqual([
        'post.drafted',
        'post.scheduled',
        'post.publish_attempt_started',
        'post.publish_failed',
      ]);
      expect(await kindsOf('contentId=no-id')).toEqual([]);
      expect(await kindsOf('actor=publisher&kind=post.published')).toEqual(['post.published']);
      expect(await kindsOf(`to=2020-01-01T00:00:00Z`)).toEqual([]);
      expect(await kindsOf(`from=2099-01-01T00:00:00Z`)).toEqual([]);
      expect((await kindsOf('from=nonsense&limit=1')).length).toBe(1);
    });

    it.each(['post.approve', 'nonsense', 'post.approved,post.aproved'])(
      'refuse a kind that is none and name the known ones: %s',
      async (kind) => {
        const { status, body } = await call('GET', `${EVENTS}?kind=${kind}`);
        expect([status, body.errors[0].parameter]).toEqual([400, 'kind']);
        const { body: document } = await call('GET', '/openapi.json');
        const known: string[] = document.components.schemas.AuditEventDto.properties.kind[
          'x-extensible-enum'
        ] as string[];
        expect(known).toEqual(
          expect.arrayContaining(['post.approved', 'contact.note_added', 'card.contact_moved']),
        );
        expect(body.errors[0].detail).toBe(`must be of ${known.join(', ')}`);
      },
    );

    it('can be followed: the last cursor continues with later events', async () => {
      let cursor = '';
      const next = async () => {
        const { body } = await call('GET', `${EVENTS}?limit=7&cursor=${cursor}`);
        cursor = body.pagination.nextCursor as string;
        return body;
      };
      for (let page = await next(); page.pagination.hasMore;) page = await next();
      expect((await next()).data).toEqual([]);
      const id = await stage.draft();
      await api.followed();
      const { data, pagination } = await next();
      expect(data).toMatchObject([{ kind: 'post.drafted', contentId: id }]);
      expect(pagination.hasMore).toBe(false);
      expect((await next()).data).toEqual([]);
    });

    it('can be followed before the first event', async () => {
      const early = await ContentStage.set(api);
      await api.followed();
      const empty = await early.person('GET', `${EVENTS}?kind=post.drafted`);
      expect(empty.body.data).toEqual([]);
      await early.draft();
      await api.followed();
      const { nextCursor } = empty.body.pagination;
      const first = await early.person('GET', `${EVENTS}?kind=post.drafted&cursor=${nextCursor}`);
      expect(first.body.data).toHaveLength(1);
    });
  });

  describe('daily rollups', () => {
    interface Day extends Record<string, unknown> {
      brandId: string;
      date: string;
    }

    it('count days in the time zone of the brand, byte-identical for each request', async () => {
      const other = await ContentStage.set(api, 'Australia/Eucla');
      await other.published();
      await other.failed();
      await other.suggestion(inHours(5));
      await api.followed();
      const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Australia/Eucla' });
      const once = await other.person('GET', DAILY);
      expect(once.body.data).toHaveLength(30);
      expect(once.body.data.at(-1)).toEqual({
        ...{ date: today, brandId: other.brandId, timezone: 'Australia/Eucla' },
        ...{ created: 3, suggested: 1, approved: 0, rejected: 0, scheduled: 2, published: 1, failed: 1 },
      });
      expect((await other.person('GET', DAILY)).text).toBe(once.text);
      const zoned = await other.person('GET', `${DAILY}?timezone=UTC&from=${today}&to=${today}`);
      expect(zoned.body.data).toMatchObject([{ date: today, timezone: 'UTC' }]);
    });

    it.each([
      ['from=2026-01-01&to=2026-01-31', 31],
      ['from=2026-01-01&to=2026-01-01', 1],
      ['from=2020-01-01&to=2026-01-01', 366],
      ['from=2026-02-01&to=2026-01-01', 1],
      ['from=nonsense&to=2026-13-45', 30],
      ['timezone=Mars/Olympus', 30],
      ['timezone=%2B02:00&limit=0', 30],
    ])('with %s return %d days and no error', async (query, days) => {
      const answer = await call('GET', `${DAILY}?${query}`, undefined, { 'x-brand-id': stage.brandId });
      expect([answer.status, answer.body.data.length]).toEqual([200, days]);
      expect(new Set(answer.body.data.map((day: Day) => day.timezone))).toEqual(new Set(['Australia/Eucla']));
    });

    it('are ordered by brand, in pages of whole brands', async () => {
      const brands = [stage.brandId, await stage.anotherBrand(), await stage.anotherBrand()];
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const path: string = `${DAILY}?limit=2&from=2026-01-01&to=2026-01-02&cursor=${cursor}`;
        const { body } = await call('GET', path);
        seen.push(...body.data.map((day: Day) => `${day.brandId} ${day.date}`));
        cursor = body.pagination.nextCursor as string | null;
      }
      expect(seen).toEqual(brands.flatMap((brand) => [`${brand} 2026-01-01`, `${brand} 2026-01-02`]));
    });
  });
});
