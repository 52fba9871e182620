import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Clock } from '#libs/clock';
import { ContentOpsModule } from '../../src/content-ops/content-ops.module.js';
import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';
import { ContentStage, inHours } from '../support/content-stage.js';

const ITEMS = '/api/content-ops/items';

describe('content operations on one item', () => {
  let api: BusinessApi;
  let stage: ContentStage;
  let person: Call;

  beforeAll(async () => {
    api = await BusinessApi.start();
    stage = await ContentStage.set(api);
    person = stage.person;
  });

  afterAll(() => api.stop());

  describe('reading', () => {
    it('returns the whole item with an ETag for conditional reads', async () => {
      const id = await stage.suggestion(inHours(5));
      const item = await person('GET', `${ITEMS}/${id}`);
      expect(item.status).toBe(200);
      const etag = item.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"v1-/);
      expect(item.body).toMatchObject({
        ...{ contentId: id, brandId: stage.brandId, platform: 'x', origin: 'suggestion' },
        ...{ approvalState: 'pending', publishStatus: 'draft', failure: null, blockedBy: null, version: 1 },
        approval: { state: 'pending', decidedBy: null },
      });
      expect(item.body.timestamps).toMatchObject({ scheduledAt: null, decidedAt: null });
      expect(item.body.timestamps.proposedAt).toMatch(/Z$/);
      const again = await person('GET', `${ITEMS}/${id}`, undefined, { 'if-none-match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    it('changes the safe actions and the ETag when the proposed time has passed', async () => {
      const id = await stage.suggestion(inHours(5));
      const read = (etag = '') => person('GET', `${ITEMS}/${id}`, undefined, { 'if-none-match': etag });
      const etag = (await read()).headers.get('etag') ?? '';
      const clock = api.service.app.select(ContentOpsModule).get(Clock, { strict: true });
      const later = jest.spyOn(clock, 'now').mockReturnValue(new Date(inHours(6)));
      try {
        const { status, body } = await read(etag);
        const scopes = (body.safeActions as { action: string; requires: { scopes: string[] } }[])
          .filter(({ action }) => action === 'approve')
          .map(({ requires }) => requires.scopes);
        expect([status, scopes]).toEqual([200, [['posts.write']]]);
      } finally {
        later.mockRestore();
      }
    });

    it('offers exactly the allowed actions, and each succeeds as offered', async () => {
      const id = await stage.suggestion(inHours(6));
      const { safeActions } = (await person('GET', `${ITEMS}/${id}`)).body;
      expect(safeActions.map(({ action }: { action: string }) => action)).toEqual([
        'edit',
        'approve',
        'reject',
      ]);
      const approve = safeActions[1];
      expect(approve).toMatchObject({
        method: 'POST',
        path: `${ITEMS}/${id}/approve`,
        version: 1,
        ifMatch: '"v1"',
      });
      expect(approve.requires.scopes).toEqual(['posts.write', 'calendar.write']);
      const done = await person(approve.method, approve.path, undefined, { 'if-match': approve.ifMatch });
      expect(done.status).toBe(200);
    });

    it.each([
      ['a post that does not exist', () => randomUUID()],
      ['what is no id', () => 'not-an-id'],
    ])('returns 404 for %s', async (_, id) => {
      expect((await person('GET', `${ITEMS}/${id()}`)).status).toBe(404);
    });

    it('reports what a part of a thread waits for', async () => {
      const first = await stage.scheduled(inHours(7), { threadPosition: 1 });
      const { threadId } = (await person('GET', `${ITEMS}/${first}`)).body;
      const second = await stage.scheduled(inHours(8), { threadId, threadPosition: 2 });
      expect((await person('GET', `${ITEMS}/${second}`)).body.blockedBy).toEqual({
        contentId: first,
        position: 1,
      });
    });
  });

  describe('editing', () => {
    it('changes only the sent fields', async () => {
      const id = await stage.draft({ link: 'https://example.com/a' });
      const edited = await person('PATCH', `${ITEMS}/${id}`, { text: 'Better words' });
      expect(edited.status).toBe(200);
      expect(edited.headers.get('etag')).toBe('"v2"');
      expect(edited.body).toMatchObject({ text: 'Better words', link: 'https://example.com/a', version: 2 });
    });

    it.each([
      ['an unknown field', { txt: 'typo' }, '#/txt', 'unknown_field'],
      ['a field that is not to be edited', { status: 'published' }, '#/status', 'unknown_field'],
      ['a wrong type', { text: 7 }, '#/text', undefined],
      ['no text', { text: null }, '#/text', undefined],
    ])('refuses %s with 400 and a pointer', async (_, body, pointer, code) => {
      const id = await stage.draft();
      const refused = await person('PATCH', `${ITEMS}/${id}`, body);
      expect(refused.status).toBe(400);
      expect(refused.headers.get('content-type')).toMatch('application/problem+json');
      expect(refused.body.errors[0]).toMatchObject(code ? { pointer, code } : { pointer });
      expect((await person('GET', `${ITEMS}/${id}`)).body.version).toBe(1);
    });

    it('refuses an edit of a changed version with 412', async () => {
      const id = await stage.draft();
      await person('PATCH', `${ITEMS}/${id}`, { text: 'First' });
      const late = await person('PATCH', `${ITEMS}/${id}`, { text: 'Second' }, { 'if-match': '"v1"' });
      expect([late.status, late.body.code, late.body.currentVersion]).toEqual([412, 'version_mismatch', 2]);
    });

    it('by an automation returns approved content to approval', async () => {
      const id = await stage.suggestion(inHours(9));
      await person('POST', `${ITEMS}/${id}/approve`);
      const edited = await stage.key()('PATCH', `${ITEMS}/${id}`, { text: 'Sneaky words' });
      expect(edited.body).toMatchObject({ approvalState: 'pending', publishStatus: 'draft' });
    });

    it.each([
      ['is being sent', () => stage.beingSent(), 'publishing_in_progress'],
      ['may be live', () => stage.failed('unconfirmed'), 'delivery_unconfirmed'],
      ['is live', () => stage.published(), 'post_is_published'],
    ])('of an item that %s is refused with 409', async (_, make, code) => {
      const refused = await person('PATCH', `${ITEMS}/${await make()}`, { text: 'Other words' });
      expect([refused.status, refused.body.code]).toEqual([409, code]);
    });
  });

  describe('approving', () => {
    it('needs no body, schedules a future time, and is idempotent', async () => {
      const scheduledAt = inHours(10);
      const id = await stage.suggestion(scheduledAt);
      const once = await person('POST', `${ITEMS}/${id}/approve`);
      expect(once.status).toBe(200);
      expect(once.body).toMatchObject({
        approvalState: 'approved',
        publishStatus: 'scheduled',
        approval: { version: 1, basis: 'stored' },
        warnings: [
          { code: 'account_not_connected', pointer: '#/platform', contentId: null },
          { code: 'approved_as_stored', pointer: '#/approval', contentId: null },
        ],
      });
      expect(once.body.timestamps).toMatchObject({ scheduledAt, proposedAt: null });
      const twice = await person('POST', `${ITEMS}/${id}/approve`);
      expect(twice.status).toBe(200);
      expect(twice.text).toBe(once.text);
    });

    it('with If-Match covers the given version, which the audit names', async () => {
      const id = await stage.suggestion(inHours(70));
      const approved = await person('POST', `${ITEMS}/${id}/approve`, undefined, { 'if-match': '"v1"' });
      expect(approved.body).toMatchObject({ approval: { version: 1, basis: 'if_match' } });
      // Nothing about the approval: that no account is connected is about its time.
      const codes = approved.body.warnings.map(({ code }: { code: string }) => code);
      expect(codes).toEqual(['account_not_connected']);
      expect((await person('GET', `/api/posts/${id}`)).body.approval).toMatchObject({ version: 1 });
      await stage.api.followed();
      const audit = await person('GET', `/api/content-ops/events?contentId=${id}&kind=post.approved`);
      expect(audit.body.data).toMatchObject([{ details: { bound: { version: 1, basis: 'if_match' } } }]);
    });

    it('is refused for the API key that edited it and its successor, not for another key', async () => {
      const id = await stage.suggestion(inHours(10));
      const principal = randomUUID();
      const [key, successor] = [stage.keyOf(principal), stage.keyOf(principal)];
      await key('PATCH', `${ITEMS}/${id}`, { text: 'Words of a key' });
      for (const call of [key, successor, stage.suggester]) {
        const refused = await call('POST', `${ITEMS}/${id}/approve`);
        expect([refused.status, refused.body.code]).toEqual([403, 'suggestion_is_your_own']);
      }
      expect((await stage.key()('POST', `${ITEMS}/${id}/approve`)).status).toBe(200);
    });

    it('is refused for the API key that edited it, also beside the bearer of another principal', async () => {
      const id = await stage.suggestion(inHours(10));
      const secret = stage.api.identity.apiKey({
        id: randomUUID(),
        organization: { id: stage.organizationId },
      });
      await stage.api.withKey(secret)('PATCH', `${ITEMS}/${id}`, { text: 'Words of a key' });
      const both = stage.api.as(stage.token, { 'x-api-key': secret });
      const refused = await both('POST', `${ITEMS}/${id}/approve`);
      expect([refused.status, refused.body.code]).toEqual([403, 'suggestion_is_your_own']);
      expect((await person('POST', `${ITEMS}/${id}/approve`)).status).toBe(200);
    });

    it('stores a reason; an item without a time still needs one', async () => {
      const id = await stage.suggestion();
      const approved = await person('POST', `${ITEMS}/${id}/approve`, { reason: 'On brand' });
      expect(approved.body).toMatchObject({
        publishStatus: 'draft',
        approval: { state: 'approved', reason: 'On brand' },
      });
      expect(approved.body.safeActions.map(({ action }: { action: string }) => action)).toContain(
        'reschedule',
      );
    });

    it('refuses text that changed since it was read with 412', async () => {
      const id = await stage.suggestion(inHours(11));
      const read = (await person('GET', `${ITEMS}/${id}`)).headers.get('etag') ?? '';
      await stage.suggester('PUT', `/api/posts/${id}`, { text: 'Quite other words' });
      const stale = await person('POST', `${ITEMS}/${id}/approve`, undefined, { 'if-match': read });
      expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
      expect((await person('GET', `${ITEMS}/${id}`)).body.approvalState).toBe('pending');
    });

    it('warns about duplicate text and a time conflict, and refuses neither', async () => {
      const at = inHours(40);
      await stage.scheduled(at, { text: 'Twice the same' });
      const id = await stage.suggestion(at, { text: 'Twice the same' });
      const approved = await person('POST', `${ITEMS}/${id}/approve`);
      expect(approved.status).toBe(200);
      const codes = approved.body.warnings.map(({ code }: { code: string }) => code);
      expect(codes).toEqual(expect.arrayContaining(['duplicate_text', 'time_conflict']));
    });

    it('refuses unknown fields (400), drafts of people (409) and own suggestions (403)', async () => {
      const id = await stage.suggestion();
      const approve = `${ITEMS}/${id}/approve`;
      expect((await person('POST', approve, { force: true })).status).toBe(400);
      expect((await person('POST', `${ITEMS}/${await stage.draft()}/approve`)).status).toBe(409);
      expect((await stage.suggester('POST', approve)).body.code).toBe('suggestion_is_your_own');
    });

    it('replays the first response for the same Idempotency-Key, and refuses the key for another body', async () => {
      const approve = `${ITEMS}/${await stage.suggestion(inHours(12))}/approve`;
      const headers = { 'idempotency-key': randomUUID() };
      const once = await person('POST', approve, undefined, headers);
      const again = await person('POST', approve, undefined, headers);
      expect([again.status, again.text]).toEqual([200, once.text]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect((await person('POST', approve, { reason: 'else' }, headers)).status).toBe(422);
    });
  });

  describe('rejecting', () => {
    it('removes the item from the queue, and is idempotent', async () => {
      const id = await stage.suggestion(inHours(13));
      const once = await person('POST', `${ITEMS}/${id}/reject`, { reason: 'Off brand' });
      expect(once.body).toMatchObject({ approvalState: 'rejected', approval: { reason: 'Off brand' } });
      const twice = await person('POST', `${ITEMS}/${id}/reject`);
      expect([twice.status, twice.text]).toEqual([200, once.text]);
      const queue = await person('GET', '/api/content-ops/queue?limit=100');
      expect(queue.body.data.map((item: { contentId: string }) => item.contentId)).not.toContain(id);
    });

    it('refuses an approved item with 409 and a changed item with 412', async () => {
      const id = await stage.suggestion();
      const stale = await person('POST', `${ITEMS}/${id}/reject`, undefined, { 'if-match': '"v9"' });
      expect(stale.status).toBe(412);
      await person('POST', `${ITEMS}/${id}/approve`);
      expect((await person('POST', `${ITEMS}/${id}/reject`)).status).toBe(409);
    });
  });

  describe('rescheduling', () => {
    it('moves a scheduled item, and clears the failure of a failed item', async () => {
      const scheduledAt = inHours(50);
      for (const id of [await stage.scheduled(), await stage.failed()]) {
        const moved = await person('POST', `${ITEMS}/${id}/reschedule`, { scheduledAt });
        expect(moved.status).toBe(200);
        expect(moved.body).toMatchObject({
          publishStatus: 'scheduled',
          failure: null,
          timestamps: { scheduledAt },
        });
      }
    });

    it.each([
      ['no time', {}, 'required'],
      ['a time without an offset', { scheduledAt: '2030-01-01T10:00:00' }, 'not_an_instant'],
      ['a time that has passed', { scheduledAt: '2020-01-01T10:00:00Z' }, 'in_past'],
      ['a time far ahead', { scheduledAt: '2099-01-01T10:00:00Z' }, 'too_far_ahead'],
      ['an unknown field', { scheduledAt: '2027-01-01T10:00:00Z', at: 1 }, 'unknown_field'],
    ])('refuses %s with 400', async (_, body, code) => {
      const refused = await person('POST', `${ITEMS}/${await stage.scheduled()}/reschedule`, body);
      expect(refused.status).toBe(400);
      expect(refused.body.errors.map((error: { code: string }) => error.code)).toContain(code);
    });

    it.each([
      ['is being sent', () => stage.beingSent(), 'publishing_in_progress'],
      ['may be live', () => stage.failed('unconfirmed'), 'delivery_unconfirmed'],
      ['waits for approval', () => stage.suggestion(), 'post_is_not_queued'],
    ])('refuses an item that %s with 409', async (_, make, code) => {
      const refused = await person('POST', `${ITEMS}/${await make()}/reschedule`, {
        scheduledAt: inHours(9),
      });
      expect([refused.status, refused.body.code]).toEqual([409, code]);
    });
  });

  describe('retrying', () => {
    it('makes a failed item due at once, and is idempotent', async () => {
      const id = await stage.failed('transient');
      const once = await person('POST', `${ITEMS}/${id}/retry`);
      expect(once.body).toMatchObject({ publishStatus: 'scheduled', failure: null });
      const twice = await person('POST', `${ITEMS}/${id}/retry`);
      expect([twice.status, twice.text]).toEqual([200, once.text]);
    });

    it.each([
      ['may be live', () => stage.failed('unconfirmed'), 'delivery_unconfirmed'],
      ['has not failed', () => stage.scheduled(), 'post_has_not_failed'],
      ['is being sent', () => stage.beingSent(), 'publishing_in_progress'],
    ])('refuses an item that %s with 409', async (_, make, code) => {
      const refused = await person('POST', `${ITEMS}/${await make()}/retry`);
      expect([refused.status, refused.body.code]).toEqual([409, code]);
    });
  });

  describe('resolving', () => {
    it('is the only offered action while a delivery is unconfirmed', async () => {
      const { safeActions } = (await person('GET', `${ITEMS}/${await stage.failed('unconfirmed')}`)).body;
      expect(safeActions).toMatchObject([{ action: 'resolve', requires: { body: ['delivered'] } }]);
    });

    it('marks a post found on the network as published', async () => {
      const id = await stage.failed('unconfirmed');
      const found = {
        delivered: true,
        platformPostId: '1861',
        platformPostUrl: 'https://x.com/acme/status/1861',
      };
      for (const platformPostId of ['', '<script>', 'x'.repeat(201), 7, 'abc', '1'.repeat(26)]) {
        const refused = await person('POST', `${ITEMS}/${id}/resolve`, { delivered: true, platformPostId });
        expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'not_a_post_id']);
      }
      const resolved = await person('POST', `${ITEMS}/${id}/resolve`, found);
      expect(resolved.status).toBe(200);
      expect(resolved.body).toMatchObject({
        publishStatus: 'published',
        platformPostId: '1861',
        failure: null,
      });
      expect((await person('POST', `${ITEMS}/${id}/resolve`, found)).status).toBe(200);
    });

    it('assigns a network post to one post only, and names that post to callers with access', async () => {
      const resolved = (id: string, platformPostId: string, by = person) =>
        by('POST', `${ITEMS}/${id}/resolve`, { delivered: true, platformPostId });
      const [first, second] = [await stage.failed('unconfirmed'), await stage.failed('unconfirmed')];
      expect((await resolved(first, '1862')).status).toBe(200);
      const refused = await resolved(second, '1862');
      expect([refused.status, refused.body.code]).toEqual([409, 'platform_post_id_taken']);
      expect([refused.body.otherPostId, refused.body.errors[0].pointer]).toEqual([first, '#/platformPostId']);

      const elsewhere = await ContentStage.set(api);
      const foreign = await resolved(await elsewhere.failed('unconfirmed'), '1862', elsewhere.person);
      expect([foreign.status, foreign.body.code]).toEqual([409, 'platform_post_id_taken']);
      expect(foreign.text).not.toContain(first);

      const third = await stage.failed('unconfirmed');
      const both = await Promise.all([resolved(second, '1863'), resolved(third, '1863')]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    });

    it('makes an undelivered post retryable', async () => {
      const id = await stage.failed('unconfirmed');
      const resolved = await person('POST', `${ITEMS}/${id}/resolve`, { delivered: false });
      expect(resolved.body).toMatchObject({ publishStatus: 'failed', failure: { class: 'permanent' } });
      expect((await person('POST', `${ITEMS}/${id}/retry`)).body.publishStatus).toBe('scheduled');
    });

    it.each([
      ['nothing said', {}, '#/delivered'],
      ['no id of what was delivered', { delivered: true }, '#/platformPostId'],
      [
        'an address that is none',
        { delivered: true, platformPostId: '1', platformPostUrl: 'javascript:1' },
        '#/platformPostUrl',
      ],
      ['an unknown field', { delivered: false, note: 'x' }, '#/note'],
    ])('refuses %s with 400', async (_, body, pointer) => {
      const refused = await person('POST', `${ITEMS}/${await stage.failed('unconfirmed')}/resolve`, body);
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, pointer]);
    });

    it('refuses a confirmed delivery with 409', async () => {
      const refused = await person('POST', `${ITEMS}/${await stage.failed()}/resolve`, {
        delivered: true,
        platformPostId: '1',
      });
      expect([refused.status, refused.body.code]).toEqual([409, 'delivery_not_unconfirmed']);
    });
  });
});
