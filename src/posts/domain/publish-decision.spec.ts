import type { Platform } from '#libs/content';
import { type ClaimCircumstances, decideClaim } from './publish-decision.js';
import type { Post, Scheduled } from './post.js';

const now = '2026-01-15T10:00:00.000Z';
const HOUR = 3_600_000;
const at = (hours: number) => new Date(Date.parse(now) + hours * HOUR).toISOString();

const post = (more: Partial<Scheduled> = {}): Scheduled => ({
  ...{
    id: 'p',
    brandId: 'b',
    authorId: 'u',
    platform: 'x' as Platform,
    blockers: [],
    thread: null,
    origin: 'person',
    suggesters: [],
  },
  content: { text: 'Hello', title: null, mediaIds: [], link: null, target: {} },
  attempts: 0,
  createdAt: at(-24),
  updatedAt: at(-24),
  status: 'scheduled',
  approval: { state: 'not_required' },
  scheduledAt: at(0),
  held: null,
  lateFrom: null,
  attempt: null,
  retrying: null,
  isRetry: false,
  ...more,
});
const decide = (state: Post, so: Partial<ClaimCircumstances> = {}) =>
  decideClaim(state, {
    now,
    attemptId: 'a',
    fingerprint: 'f',
    predecessor: null,
    violatedRule: null,
    media: { kind: 'ready' },
    lateWindowMs: 6 * HOUR,
    retry: { budgetMs: HOUR / 2, firstWaitMs: 5_000, jitter: 1 },
    network: { outage: null, mayProbe: false },
    maybeLiveSince: null,
    destination: { connectionId: 'c', heldUntil: null, holdReason: null },
    ...so,
  });
const eventOf = (decision: ReturnType<typeof decide>) =>
  decision.kind === 'leave' ? undefined : decision.events[0];
const part = { postId: 'q', status: 'published', platformPostId: '9', publishedSince: at(0) } as const;

describe('claiming a post that looked due', () => {
  it('starts an attempt that names connection and fingerprint', () => {
    expect(eventOf(decide(post()))).toMatchObject({
      type: 'PublishAttemptStarted',
      data: { attemptId: 'a', connectionId: 'c', fingerprint: 'f' },
    });
  });

  it.each([
    ['was moved', post({ scheduledAt: at(1) })],
    ['is held', post({ held: { until: at(1), reason: 'rate_limited', attemptId: 'z' } })],
    [
      'is being sent',
      post({
        attempt: {
          ...{ attemptId: 'z', connectionId: 'c', fingerprint: 'f' },
          maybeLiveSince: null,
          startedAt: now,
          undecided: null,
          steps: {},
        },
      }),
    ],
    ['was deleted', { status: 'deleted', id: 'p', brandId: 'b' } as const],
  ])('leaves alone what %s meanwhile', (_, state) => {
    expect(decide(state).kind).toBe('leave');
  });

  it('replies to the part before it, and waits for it', () => {
    const second = post({ thread: { id: 't', position: 2 } });
    expect(decide(second, { predecessor: part })).toMatchObject({ kind: 'start', replyTo: '9' });
    expect(decide(second, { predecessor: { ...part, status: 'failed', platformPostId: null } }).kind).toBe(
      'leave',
    );
    expect(decide(second).kind).toBe('leave');
  });

  it('misses its window six hours after its time, or after the part before it went out', () => {
    const late = { type: 'PostPublishFailed', data: { failure: { class: 'missed' } } };
    expect(decide(post({ scheduledAt: at(-6) })).kind).toBe('start');
    expect(eventOf(decide(post({ scheduledAt: at(-6.001) })))).toMatchObject(late);
    const second = post({ scheduledAt: at(-48), thread: { id: 't', position: 2 } });
    expect(decide(second, { predecessor: { ...part, publishedSince: at(-1) } }).kind).toBe('start');
    expect(eventOf(decide(second, { predecessor: { ...part, publishedSince: at(-7) } }))).toMatchObject(late);
  });

  describe('that may have been sent before the database lost its last changes', () => {
    const look = (so: Partial<ClaimCircumstances> = {}, state = post()) =>
      decide(state, { maybeLiveSince: at(-2), ...so });
    const doubt = { type: 'PostPublishFailed', data: { attemptId: null, failure: { class: 'unconfirmed' } } };

    it('begins an attempt, however late, held or refused by a rule', () => {
      const destination = { connectionId: 'c', heldUntil: at(1), holdReason: 'rate_limited' };
      const violatedRule = { ruleId: 'x.text.too-long', message: 'Too long.' };
      for (const decision of [
        look(),
        look({ destination }),
        look({ violatedRule }),
        look({}, post({ scheduledAt: at(-9) })),
      ])
        expect(eventOf(decision)).toMatchObject({
          type: 'PublishAttemptStarted',
          data: { maybeLiveSince: at(-2) },
        });
    });

    it('is unconfirmed without a connection to reconcile by, so that it cannot be retried', () => {
      const failure = { code: 'account_not_connected', class: 'configuration' } as const;
      const destination = { failure: { ...failure, networkCode: null, message: '', nextStep: '' } };
      expect(eventOf(look({ destination }))).toMatchObject(doubt);
    });

    it('is left alone while it waits for the part before it, or was moved', () => {
      expect(look({}, post({ thread: { id: 't', position: 2 } })).kind).toBe('leave');
      expect(look({}, post({ scheduledAt: at(1) })).kind).toBe('leave');
    });
  });

  describe('that waits for a hold', () => {
    const held = (more: Partial<Scheduled> = {}) =>
      post({ held: { until: at(1), reason: 'usage_capped', attemptId: null }, ...more });

    it('is due now when the hold has ended early', () => {
      expect(decide(held())).toMatchObject({
        kind: 'settle',
        events: [{ type: 'PostHeld', data: { attemptId: null, until: now, reason: 'hold_ended' } }],
      });
    });

    it.each<[string, Scheduled, Partial<ClaimCircumstances>]>([
      ['lasts', held(), { destination: { connectionId: 'c', heldUntil: at(2), holdReason: 'usage_capped' } }],
      ['was asked for by an attempt', held({ held: { until: at(1), reason: 'r', attemptId: 'z' } }), {}],
      ['has ended before its own time', held({ scheduledAt: at(0.5) }), {}],
    ])('is left alone when that %s', (_, state, so) => {
      expect(decide(state, so).kind).toBe('leave');
    });
  });

  describe('whose files are not ready', () => {
    const pending: Partial<ClaimCircumstances> = { media: { kind: 'pending' } };
    const heldForFiles = (until: string, more: Partial<Scheduled> = {}) =>
      post({ held: { until, reason: 'media_processing', attemptId: null }, ...more });
    const untilOf = (state: Post) => (eventOf(decide(state, pending))?.data as { until: string }).until;

    it('waits without an attempt, longer the longer it has waited, not beyond its late window', () => {
      expect(eventOf(decide(post(), pending))).toMatchObject({
        type: 'PostHeld',
        data: { attemptId: null, until: at(30 / 3600), reason: 'media_processing' },
      });
      expect(untilOf(post({ scheduledAt: at(-20 / 60) }))).toBe(at(5 / 60));
      expect(untilOf(post({ scheduledAt: at(-2) }))).toBe(at(10 / 60));
      const lastMoment = post({ scheduledAt: at(-6) });
      expect(untilOf(lastMoment)).toBe(new Date(Date.parse(now) + 1).toISOString());
    });

    it('is due at once when they are ready or known as unusable, and not before', () => {
      const ended = { kind: 'settle', events: [{ data: { until: now, reason: 'hold_ended' } }] };
      const failure = { class: 'permanent', code: 'media_unfit', networkCode: null } as const;
      const media = { kind: 'unusable', failure: { ...failure, message: '', nextStep: '' } } as const;
      expect(decide(heldForFiles(at(1)), pending).kind).toBe('leave');
      expect(decide(heldForFiles(at(1)))).toMatchObject(ended);
      expect(decide(heldForFiles(at(1)), { media })).toMatchObject(ended);
      expect(eventOf(decide(heldForFiles(now), { media }))).toMatchObject({
        type: 'PostPublishFailed',
        data: { attemptId: null, failure },
      });
    });

    it('fails after its late window, and says that it waited for its files', () => {
      const late = heldForFiles(now, { scheduledAt: at(-6.001) });
      const failed = { data: { failure: { class: 'missed', code: 'media_processing_timeout' } } };
      expect(eventOf(decide(late, pending))).toMatchObject(failed);
      expect(eventOf(decide(post({ scheduledAt: at(-7) }), pending))).toMatchObject({
        data: { failure: { class: 'missed', code: 'publish_window_missed' } },
      });
    });

    it('waits also when its content violates a rule: of a file that is not known the rules say nothing', () => {
      const violatedRule = { ruleId: 'x.text.empty', message: 'A post needs text or a file.' };
      expect(eventOf(decide(post(), { ...pending, violatedRule }))).toMatchObject({
        data: { reason: 'media_processing' },
      });
    });

    it('waits for a hold of its account first, and is looked for when it may be live', () => {
      const destination = { connectionId: 'c', heldUntil: at(1), holdReason: 'rate_limited' };
      expect(eventOf(decide(post(), { ...pending, destination }))).toMatchObject({
        data: { reason: 'rate_limited' },
      });
      expect(decide(post(), { ...pending, maybeLiveSince: at(-2) }).kind).toBe('start');
    });
  });

  describe('whose network refuses this service', () => {
    const failure = { code: 'api_version_retired', class: 'configuration', networkCode: '426' } as const;
    const network = { outage: { ...failure, message: '', nextStep: '' }, mayProbe: false };
    const repaired = { outage: null, mayProbe: false };
    const waiting = (scheduled: number) => {
      const until = at(24);
      const held = { until, reason: 'api_version_retired', attemptId: null };
      return post({ scheduledAt: at(scheduled), held, lateFrom: until });
    };

    it('waits as long as the repair takes, without an attempt and outside of its late window', () => {
      expect(eventOf(decide(post(), { network }))).toMatchObject({
        type: 'PostHeld',
        data: { attemptId: null, until: at(24), lateFrom: at(24), reason: 'api_version_retired', failure },
      });
      const again = post({ scheduledAt: at(-72), lateFrom: at(-0.001) });
      expect(eventOf(decide(again, { network }))).toMatchObject({
        data: { until: at(24), lateFrom: at(24) },
      });
    });

    it('is released by the repair, and its late window begins then', () => {
      expect(decide(waiting(-72), { network: repaired })).toMatchObject({
        kind: 'settle',
        events: [{ data: { until: now, reason: 'hold_ended', lateFrom: now } }],
      });
      const released = (from: number) => post({ scheduledAt: at(-72), lateFrom: at(from) });
      expect(decide(released(-6)).kind).toBe('start');
      expect(eventOf(decide(released(-6.001)))).toMatchObject({ data: { failure: { class: 'missed' } } });
    });
  });

  it('is put back while the network cannot take it', () => {
    const destination = { connectionId: 'c', heldUntil: at(1), holdReason: 'rate_limited' };
    expect(eventOf(decide(post(), { destination }))).toMatchObject({
      type: 'PostHeld',
      data: { attemptId: null, until: at(1), lateFrom: at(1), reason: 'rate_limited' },
    });
  });

  it('fails at once, and says so, when its account is held for longer than it may wait', () => {
    const destination = { connectionId: 'c', heldUntil: at(22), holdReason: 'quota_exhausted' };
    expect(eventOf(decide(post(), { destination }))).toMatchObject({ data: { lateFrom: at(22) } });
    const failed = { type: 'PostPublishFailed', data: { failure: { code: 'hold_ends_too_late' } } };
    expect(eventOf(decide(post({ ifLate: 'fail' }), { destination }))).toMatchObject(failed);
  });

  it('is sent however late when its author wants that', () => {
    expect(decide(post({ scheduledAt: at(-100), ifLate: 'publish' })).kind).toBe('start');
  });

  it('fails without a destination, with content the network refuses, or with content that was not approved', () => {
    const failure = { code: 'account_not_connected', class: 'configuration' } as const;
    const destination = { failure: { ...failure, networkCode: null, message: '', nextStep: '' } };
    expect(eventOf(decide(post(), { destination }))).toMatchObject({ data: { attemptId: null, failure } });
    const violatedRule = { ruleId: 'x.text.too-long', message: 'Too long.' };
    expect(eventOf(decide(post(), { violatedRule }))).toMatchObject({
      data: { failure: { class: 'permanent', networkCode: 'x.text.too-long' } },
    });
    const by = { type: 'user', id: 'u' } as const;
    const approval = {
      state: 'approved',
      fingerprint: 'other',
      decidedBy: by,
      decidedAt: now,
      reason: null,
    } as const;
    expect(eventOf(decide(post({ approval })))).toMatchObject({
      data: { failure: { code: 'approval_for_other_content' } },
    });
  });
});
