import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { loadConfig } from '#libs/config';
import type { FailureReport, Platform } from '#libs/content';
import { GrantedLimits } from '../limits/granted-limits.js';
import { NetworkLimits } from '../limits/network-limits.js';
import type { CommitResponse, CommitCall } from '../domain/provider-publishing.js';
import type { Access } from '../tokens/access-tokens.js';
import { PreparationIsTaken } from '../preparations/preparations.store.js';
import { MEDIA_UNREADABLE } from '../domain/delivery-outcome.js';
import type { Silence } from '../outages/network-outages.store.js';
import { NetworkWatch } from '../outages/network-watch.js';
import { TokensHaveChanged } from '../tokens/ended-grants.js';
import { DeliverPost, DeliverPostHandler } from './deliver-post.js';
import { DeliveryHolds } from './delivery-holds.js';
import { DeliveryPaceConfig } from './delivery-pace.config.js';
import { DeliveryPace } from './delivery-pace.js';

const failure = (code: string, failureClass: FailureReport['class'] = 'transient'): FailureReport => ({
  code,
  class: failureClass,
  networkCode: null,
  message: 'It did not work.',
  nextStep: 'Look.',
});
const published: CommitResponse = {
  kind: 'published',
  platformPostId: '1',
  platformPostUrl: 'https://x.test/1',
};
const notSent: CommitResponse = { kind: 'not-sent', failure: failure('network_unreachable') };
const refused = (remedy?: object, failureClass: FailureReport['class'] = 'transient'): CommitResponse =>
  ({ kind: 'refused', refusal: { failure: failure('refused', failureClass), remedy } }) as CommitResponse;
const now = '2026-01-15T10:00:02.000Z';
const heldUntil = '2026-01-15T10:15:00.000Z';
const usable = (accessToken: string, tokenVersion = 1): Access => ({
  kind: 'usable',
  platform: 'x' as Platform,
  organizationId: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  accessToken,
  tokenVersion,
  account: { accountId: '7', username: 'acme', facts: {} },
});

/** A network without limits needs no counter. */
const granted = new GrantedLimits({ granted: '' }, {} as never);
const unlimited = new NetworkLimits(granted, {} as never, {} as never, {} as never);

const network = { startedAt: '2026-01-15T10:00:00.000Z', isProbe: false, isFailing: false };

/** What workers are told about the network. */
class NotedOutages {
  readonly silent: Silence[] = [];
  answers = 0;
  isDown = false;

  failed = (silence: Silence) =>
    Promise.resolve(this.silent.push(silence)).then(() => ({ at: now, isDown: this.isDown }));
  accepted: boolean[] = [];
  givenBack = 0;
  answered = (_platform: string, _since: string, accepted: boolean) =>
    Promise.resolve(void (this.accepted.push(accepted), (this.answers += 1)));
  releaseProbes = () => Promise.resolve(void (this.givenBack += 1));
  now = () => Promise.resolve(now);
}

/** Waits no moment, and notes after which call it was to wait for how many milliseconds. */
class NotedPace extends DeliveryPace {
  readonly waits: { afterCall: number; milliseconds: number }[] = [];

  constructor(
    config: DeliveryPaceConfig,
    private readonly made: () => number,
  ) {
    super(config);
  }

  override wait(milliseconds: number): Promise<void> {
    this.waits.push({ afterCall: this.made(), milliseconds });
    return Promise.resolve();
  }
}

function aDelivery(
  answers: (CommitResponse | Error)[],
  renewed: Access = usable('second', 2),
  found: readonly Access[] = [],
  end: () => Promise<void> = () => Promise.resolve(),
) {
  const calls: CommitCall[] = [];
  const commit = (call: CommitCall): Promise<CommitResponse> => {
    calls.push(call);
    const answer = answers[calls.length - 1] ?? published;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const outages = new NotedOutages();
  const renewals: unknown[] = [];
  const holds: unknown[][] = [];
  const endings: unknown[][] = [];
  const asked = found.values();
  const tokens = {
    fresh: () => Promise.resolve(asked.next().value ?? usable('first')),
    end: (...values: unknown[]) => Promise.resolve(endings.push(values)).then(end),
    renewed: (id: string) => Promise.resolve(renewals.push(id)).then(() => renewed),
  };
  const held = (...values: unknown[]) => Promise.resolve(holds.push(values)).then(() => heldUntil);
  const pace = new NotedPace(loadConfig(DeliveryPaceConfig, {}), () => calls.length);
  const handler = new DeliverPostHandler(
    tokens as never,
    new DeliveryHolds({ holdAccount: held } as never, {} as never, {} as never),
    { publishing: () => ({ commit, firstStep: () => null, limits: () => [] }) } as never,
    {} as never,
    {} as never,
    pace,
    unlimited,
    new NetworkWatch(outages as never),
  );
  const content = {
    text: 'Hello\r\nhttps://bücher.test/é',
    title: null,
    link: 'https://bücher.test/é',
    mediaIds: [],
    target: {},
    options: {},
    replyTo: null,
  };
  const delivery = {
    ...{ postId: 'p', connectionId: 'c', attemptId: 'a', fingerprint: 'f', content, files: [] },
    maySend: () => true,
    journal: () => Promise.resolve(),
    network,
  };
  return {
    outages,
    calls,
    renewals,
    holds,
    endings,
    waits: pace.waits,
    run: (known: Partial<typeof network> = {}) =>
      handler.execute(new DeliverPost({ ...delivery, network: { ...network, ...known } })),
  };
}

/** A network that needs one step, whose commits answer so. */
function aPreparedDelivery(
  answers: readonly CommitResponse[],
  taken = false,
  run?: unknown,
  postponedUntil: string | null = heldUntil,
  isReadable = true,
) {
  const outages = new NotedOutages();
  const begun: string[] = [];
  const saved: unknown[] = [];
  const postponed: number[] = [];
  const asked = answers.values();
  const commit = () => Promise.resolve(asked.next().value ?? published);
  const prepared = { ids: {}, addresses: {}, notes: {}, ageMs: 0 };
  const ready = { kind: 'ready', prepared, steps: 1 };
  const preparations = {
    postponed: (_: unknown, milliseconds: number) =>
      Promise.resolve(postponed.push(milliseconds)).then(() => postponedUntil),
    until: () => Promise.resolve(heldUntil),
    startCommit: () => (taken ? Promise.reject(new PreparationIsTaken()) : Promise.resolve()),
    startAgain: (_: unknown, step: string) => Promise.resolve(begun.push(step)),
    save: (...[, , state]: unknown[]) => Promise.resolve(saved.push(state)),
  } as never;
  const handler = new DeliverPostHandler(
    { fresh: () => Promise.resolve(usable('first')) } as never,
    new DeliveryHolds({} as never, preparations, { areReadable: () => Promise.resolve(isReadable) } as never),
    { publishing: () => ({ commit, firstStep: () => 'reserve', limits: () => [] }) } as never,
    { run: run ?? (() => Promise.resolve(ready)) } as never,
    preparations,
    new NotedPace(loadConfig(DeliveryPaceConfig, {}), () => 0),
    unlimited,
    new NetworkWatch(outages as never),
  );
  const content = {
    text: 'Hello',
    title: null,
    link: null,
    mediaIds: ['m'],
    target: {},
    options: {},
    replyTo: null,
  };
  const delivery = {
    ...{ postId: 'p', connectionId: 'c', attemptId: 'a', fingerprint: 'f', content, files: [] },
    maySend: () => true,
    journal: () => Promise.resolve(),
    network,
  };
  return { outages, saved, begun, postponed, run: () => handler.execute(new DeliverPost(delivery)) };
}

describe('delivering a post in steps', () => {
  const expired = refused({ kind: 'prepare-again' });

  it('prepares again what the network dropped, once', async () => {
    const once = aPreparedDelivery([expired, published]);
    expect((await once.run()).kind).toBe('published');
    expect(once.begun).toEqual(['reserve']);
    const forEver = aPreparedDelivery(Array.from({ length: 20 }, () => expired));
    expect((await forEver.run()).kind).toBe('failed');
    expect(forEver.begun).toEqual(['reserve']);
  });

  it('prepares again what stays unready after a few waits, then puts the post back', async () => {
    const unready = refused({ kind: 'wait', milliseconds: 5, prepareAgain: true });
    const ready = { kind: 'ready', prepared: { ids: {}, addresses: {}, notes: {}, ageMs: 0 }, steps: 0 };
    const answers = Array.from({ length: 9 }, () => unready);
    const forEver = aPreparedDelivery(answers, false, () => Promise.resolve(ready));
    expect((await forEver.run()).kind).toBe('passing');
    expect(forEver.begun).toEqual(['reserve']);
  });

  it('keeps the ids of a post that the network has accepted, and never repeats that call', async () => {
    const accepted: CommitResponse = {
      kind: 'accepted',
      milliseconds: 500,
      ids: { submission: 's-1', odd: 'with space' },
    };
    const asked = aPreparedDelivery([accepted]);
    expect(await asked.run()).toEqual({ kind: 'accepted', milliseconds: 500, ids: { submission: 's-1' } });
    expect(asked.saved).toMatchObject([{ ids: { submission: 's-1' } }]);
  });

  it('takes an acceptance of content without preparation for a call whose answer was lost', async () => {
    const accepted: CommitResponse = { kind: 'accepted', milliseconds: 500 };
    expect((await aDelivery([accepted]).run()).kind).toBe('unconfirmed');
  });

  it('commits nothing once another attempt has taken the preparation', async () => {
    const asked = aPreparedDelivery([], true);
    expect(await asked.run()).toEqual({ kind: 'abandoned' });
  });
});

describe('delivering by a network that takes a step and then does not answer, again and again', () => {
  it('ends after a number of steps', async () => {
    const noAnswer = { kind: 'no-answer', failure: failure('network_unreachable') };
    let steps = 0;
    const run = (_: unknown, { maxSteps }: { maxSteps: number }) => {
      if (maxSteps <= 0)
        return Promise.resolve({
          kind: 'stopped',
          why: { kind: 'failed', failure: failure('network_steps_exceeded') },
          steps: 0,
        });
      steps += 100;
      return Promise.resolve({ kind: 'stopped', why: noAnswer, steps: 100 });
    };
    const asked = aPreparedDelivery([], false, run);
    expect((await asked.run()).kind).toBe('failed');
    expect(steps).toBe(2_000);
  });
});

describe('delivering a post whose files cannot be read', () => {
  const unreadable = {
    kind: 'stopped',
    why: { kind: 'no-answer', failure: failure(MEDIA_UNREADABLE) },
    steps: 0,
  };

  it('tries again at once, a few times, and then puts the post back', async () => {
    let runs = 0;
    const asked = aPreparedDelivery([], false, () => Promise.resolve(unreadable).finally(() => (runs += 1)));
    expect(await asked.run()).toEqual({ kind: 'held', until: heldUntil, reason: MEDIA_UNREADABLE });
    expect(runs).toBe(3);
  });
});

describe('delivering a post whose files the network could not fetch', () => {
  const unfetched = (failureClass: FailureReport['class'], remedy?: object) =>
    ({
      kind: 'refused',
      refusal: { failure: failure('media_not_fetched', failureClass), remedy },
    }) as CommitResponse;
  const responses = [
    unfetched('permanent'),
    unfetched('permanent', { kind: 'wait', milliseconds: 1 }),
    unfetched('transient', { kind: 'prepare-again' }),
  ];

  it('puts the post back while their addresses do not work', async () => {
    for (const response of responses) {
      const asked = aPreparedDelivery([response], false, undefined, heldUntil, false);
      expect(await asked.run()).toEqual({ kind: 'held', until: heldUntil, reason: MEDIA_UNREADABLE });
    }
  });

  it('takes the answer of the network when they do', async () => {
    for (const response of responses.filter((_, index) => index !== 1))
      expect((await aPreparedDelivery(Array.from({ length: 9 }, () => response)).run()).kind).toBe('failed');
  });
});

describe('delivering a post whose files a network limits by a limit of their own', () => {
  it('puts this post back, and holds no account', async () => {
    const remedy = { kind: 'postpone', milliseconds: 900_000 };
    const limited = {
      kind: 'stopped',
      why: { kind: 'refused', refusal: { failure: failure('rate_limited'), remedy } },
      steps: 0,
    };
    const asked = aPreparedDelivery([], false, () => Promise.resolve(limited));
    expect(await asked.run()).toEqual({ kind: 'held', until: heldUntil, reason: 'rate_limited' });
    expect(asked.postponed).toEqual([900_000]);
  });

  it('fails when the budget of its waits is used up', async () => {
    const asked = aPreparedDelivery([refused({ kind: 'postpone', milliseconds: 5 })], false, undefined, null);
    expect((await asked.run()).kind).toBe('failed');
    expect(asked.begun).toEqual([]);
  });

  it('prepares again what the network still does not have', async () => {
    const missing = refused({ kind: 'postpone', milliseconds: 5, prepareAgainAfterMs: 10 });
    const asked = aPreparedDelivery([missing, published], false, undefined, null);
    expect((await asked.run()).kind).toBe('published');
    expect(asked.begun).toEqual(['reserve']);
    const forEver = aPreparedDelivery(
      Array.from({ length: 9 }, () => missing),
      false,
      undefined,
      null,
    );
    expect((await forEver.run()).kind).toBe('failed');
    expect(forEver.begun).toEqual(['reserve']);
  });
});

describe('delivering a post', () => {
  it('sends its link as a URI and its lines with LF', async () => {
    const asked = aDelivery([published]);
    await asked.run();
    const uri = 'https://xn--bcher-kva.test/%C3%A9';
    expect(asked.calls[0]?.content).toMatchObject({ text: `Hello\n${uri}`, link: uri });
  });

  it('repeats what never left, a few times', async () => {
    const once = aDelivery([notSent, notSent, published]);
    expect((await once.run()).kind).toBe('published');
    const never = aDelivery([notSent, notSent, notSent, notSent]);
    expect(await never.run()).toMatchObject({ kind: 'passing', at: now, isNetworkDown: false });
    expect(never.calls).toHaveLength(3);
    expect(never.outages.silent).toMatchObject([{ platform: 'x', accountKey: 'account:x:7' }]);
  });

  it('asks for a token that cannot be renewed right now as often as it repeats a call', async () => {
    const unavailable: Access = { kind: 'unavailable' };
    const soon = aDelivery([published], undefined, [unavailable, unavailable]);
    expect((await soon.run()).kind).toBe('published');
    const late = aDelivery([published], undefined, [unavailable, unavailable, unavailable]);
    expect(await late.run()).toMatchObject({ kind: 'passing', failure: { code: 'token_not_renewed' } });
    expect(late.calls).toHaveLength(0);
    expect(late.outages.silent).toEqual([]);
  });

  it('never repeats a call whose answer was lost', async () => {
    const lost = aDelivery([
      { kind: 'unconfirmed', failure: failure('delivery_unconfirmed', 'unconfirmed') },
    ]);
    expect((await lost.run()).kind).toBe('unconfirmed');
    expect(lost.calls).toHaveLength(1);
  });

  it('takes a provider that breaks for a call whose answer was lost', async () => {
    const broken = aDelivery([new Error('a defect')]);
    expect(await broken.run()).toMatchObject({ kind: 'unconfirmed', failure: { class: 'unconfirmed' } });
    expect(broken.calls).toHaveLength(1);
  });

  it('renews a refused token once and repeats once', async () => {
    const renewed = aDelivery([refused({ kind: 'refresh' }, 'auth'), published]);
    expect((await renewed.run()).kind).toBe('published');
    expect(renewed.calls.map(({ accessToken }) => accessToken)).toEqual(['first', 'second']);
    expect(renewed.endings).toEqual([]);
    const again = aDelivery([refused({ kind: 'refresh' }, 'auth'), refused({ kind: 'refresh' }, 'auth')]);
    expect(await again.run()).toMatchObject({ kind: 'failed', failure: { class: 'auth' } });
    expect(again.renewals).toHaveLength(1);
    expect(again.endings).toEqual([['c', 2]]);
  });

  it('gives a renewed token the time to be known to the whole network before it is shown', async () => {
    const early = aDelivery([refused({ kind: 'refresh' }, 'auth'), published]);
    await early.run();
    expect(early.waits).toEqual([{ afterCall: 1, milliseconds: 1000 }]);
    const late = aDelivery([refused({ kind: 'refresh' }, 'auth'), { kind: 'abandoned' }]);
    expect(await late.run()).toEqual({ kind: 'abandoned' });
    expect(late.endings).toEqual([]);
  });

  it('has its outcome when the end of a grant could not be stored, and logs that unless newer tokens are stored', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const dead = refused({ kind: 'refresh' }, 'auth');
    for (const [error, times] of [
      [new TokensHaveChanged(), 0],
      [new Error('the database is away'), 1],
    ] as const) {
      const delivery = aDelivery([dead, dead], undefined, undefined, () => Promise.reject(error));
      expect(await delivery.run()).toMatchObject({ kind: 'failed', failure: { class: 'auth' } });
      expect(errors).toHaveBeenCalledTimes(times);
    }
    errors.mockRestore();
  });

  it.each([
    ['ended', 'auth'],
    ['misconfigured', 'configuration'],
    ['unavailable', 'transient'],
  ] as const)('names a token that is %s', async (kind, failureClass) => {
    const stuck = aDelivery(
      [
        {
          kind: 'refused',
          refusal: {
            failure: { ...failure('token_refused', 'auth'), networkCode: '190/463' },
            remedy: { kind: 'refresh' },
          },
        },
      ],
      { kind },
    );
    const outcome = kind === 'ended' ? 'failed' : 'passing';
    const networkCode = kind === 'ended' ? '190/463' : null;
    expect(await stuck.run()).toMatchObject({ kind: outcome, failure: { class: failureClass, networkCode } });
    expect(stuck.calls).toHaveLength(1);
    expect(stuck.holds).toEqual(
      kind === 'misconfigured' ? [['c', 900_000, 'integration_misconfigured']] : [],
    );
  });

  it('fails with the network’s code when it refused the renewal before anything was sent', async () => {
    const ended = aDelivery([], undefined, [{ kind: 'ended', networkCode: 'invalid_grant' }]);
    expect(await ended.run()).toMatchObject({
      kind: 'failed',
      failure: { code: 'reconnect_needed', networkCode: 'invalid_grant' },
    });
  });

  it('holds the account whose token an operator must make renewable, and fails nothing', async () => {
    const stuck = aDelivery([], undefined, [{ kind: 'misconfigured' }]);
    expect(await stuck.run()).toMatchObject({ kind: 'passing', isNetworkDown: false });
    expect(stuck.holds).toEqual([['c', 900_000, 'integration_misconfigured']]);
    expect(stuck.outages.silent).toEqual([]);
  });

  it('holds the account for as long as the network names, by the database’s clock', async () => {
    const limited = aDelivery([refused({ kind: 'hold', milliseconds: 900_000 })]);
    expect(await limited.run()).toEqual({
      kind: 'held',
      until: heldUntil,
      reason: 'refused',
      isStated: true,
    });
    expect(limited.holds).toEqual([['c', 900_000, 'refused']]);
  });

  it('holds the whole network when it refuses this service', async () => {
    const forbidden = aDelivery([refused(undefined, 'configuration')]);
    forbidden.outages.isDown = true;
    expect(await forbidden.run()).toMatchObject({
      kind: 'passing',
      failure: { class: 'configuration' },
      isNetworkDown: true,
    });
    expect(forbidden.outages.silent).toMatchObject([{ platform: 'x', failure: { class: 'configuration' } }]);
  });

  it('ends as passing after a limit without an end was met as often as a call is repeated', async () => {
    const limit = refused({ kind: 'wait', milliseconds: 1 });
    const limited = aDelivery([limit, limit, limit]);
    expect(await limited.run()).toMatchObject({ kind: 'passing', failure: { code: 'refused' } });
    const permanent = refused({ kind: 'wait', milliseconds: 1 }, 'permanent');
    expect((await aDelivery([permanent, permanent, permanent]).run()).kind).toBe('failed');
  });

  it('sends nothing once it may not', async () => {
    const frozen = aDelivery([{ kind: 'abandoned' }]);
    expect(await frozen.run()).toEqual({ kind: 'abandoned' });
  });
});

describe('whether a network answers', () => {
  const silent: CommitResponse = {
    kind: 'unconfirmed',
    failure: failure('delivery_unconfirmed', 'unconfirmed'),
    isSilent: true,
  };

  const abandoned: CommitResponse = { kind: 'abandoned' };

  it('is not reported by attempts at a network that answers', async () => {
    const delivery = aDelivery([published]);
    await delivery.run();
    expect(delivery.outages.answers).toBe(0);
  });

  it.each([
    ['a post', published, 1],
    ['a refusal', refused(undefined, 'permanent'), 1],
    ['a limit of the account', refused({ kind: 'hold', milliseconds: 1 }), 1],
    ['nothing', abandoned, 0],
    ['silence', silent, 0],
  ])('is reported of a failing network that answers with %s', async (_what, answer, answers) => {
    const delivery = aDelivery([answer]);
    await delivery.run({ isFailing: true });
    expect(delivery.outages.answers).toBe(answers);
    expect(delivery.outages.silent).toHaveLength(answer === silent ? 1 : 0);
  });

  it.each([
    ['a post', published, true],
    ['a refusal of the content', refused(undefined, 'permanent'), true],
    ['a refused token', refused({ kind: 'refresh' }, 'auth'), false],
    ['a limit of the account', refused({ kind: 'hold', milliseconds: 1 }), false],
  ])(
    'shows by %s whether it accepts the service; if not, another post probes at once',
    async (_, answer, accepted) => {
      const probe = aDelivery([answer, answer]);
      await probe.run({ isProbe: true });
      expect(probe.outages.accepted).toEqual([accepted]);
      expect(probe.outages.givenBack).toBe(accepted ? 0 : 1);
    },
  );

  it('is reported once after an attempt of this process was not answered', async () => {
    const delivery = aDelivery([notSent, notSent, notSent]);
    for (let runs = 0; runs < 3; runs += 1) await delivery.run();
    expect([delivery.outages.silent.length, delivery.outages.answers]).toEqual([1, 1]);
  });

  it('tells a post that posts of all accounts wait', async () => {
    const delivery = aDelivery([notSent, notSent, notSent]);
    delivery.outages.isDown = true;
    expect(await delivery.run()).toMatchObject({ kind: 'passing', isNetworkDown: true });
  });

  it('does not change the outcome of a post that may be live when it cannot be stored', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    for (const answer of [published, silent]) {
      const delivery = aDelivery([answer]);
      delivery.outages.failed = () => Promise.reject(new Error('the database is away'));
      delivery.outages.answered = () => Promise.reject(new Error('the database is away'));
      expect((await delivery.run({ isProbe: true })).kind).toBe(answer.kind);
    }
    expect(warnings).toHaveBeenCalledTimes(2);
    warnings.mockRestore();
  });
});
