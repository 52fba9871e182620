import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { loadConfig } from '#libs/config';
import type { FailureReport, Platform } from '#libs/content';
import { GrantedLimits } from '../limits/granted-limits.js';
import { NetworkLimits } from '../limits/network-limits.js';
import type { CommitResponse, CommitCall } from '../domain/provider-publishing.js';
import type { Access } from '../tokens/access-tokens.js';
import { PreparationIsTaken } from '../preparations/preparations.store.js';
import { MEDIA_UNREADABLE } from '../domain/media-unreadable.js';
import { TokensHaveChanged } from '../tokens/ended-grants.js';
import { DeliverPost, DeliverPostHandler } from './deliver-post.js';
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
    { holdAccount: held } as never,
    { hold: held } as never,
    { publishing: () => ({ commit, firstStep: () => null, limits: () => [] }) } as never,
    {} as never,
    {} as never,
    pace,
    unlimited,
  );
  const content = {
    text: 'Hello',
    title: null,
    link: null,
    mediaIds: [],
    target: {},
    options: {},
    replyTo: null,
  };
  const delivery = {
    ...{ postId: 'p', connectionId: 'c', attemptId: 'a', fingerprint: 'f', content, files: [] },
    maySend: () => true,
    journal: () => Promise.resolve(),
  };
  return {
    calls,
    renewals,
    holds,
    endings,
    waits: pace.waits,
    run: () => handler.execute(new DeliverPost(delivery)),
  };
}

/** A network that needs one step, whose commits answer so. */
function aPreparedDelivery(answers: readonly CommitResponse[], taken = false, run?: unknown) {
  const begun: string[] = [];
  const postponed: number[] = [];
  const asked = answers.values();
  const commit = () => Promise.resolve(asked.next().value ?? published);
  const prepared = { ids: {}, addresses: {}, notes: {}, ageMs: 0 };
  const ready = { kind: 'ready', prepared, steps: 1 };
  const handler = new DeliverPostHandler(
    { fresh: () => Promise.resolve(usable('first')) } as never,
    {} as never,
    {} as never,
    { publishing: () => ({ commit, firstStep: () => 'reserve', limits: () => [] }) } as never,
    { run: run ?? (() => Promise.resolve(ready)) } as never,
    {
      postponed: (_: unknown, milliseconds: number) =>
        Promise.resolve(postponed.push(milliseconds)).then(() => heldUntil),
      startCommit: () => (taken ? Promise.reject(new PreparationIsTaken()) : Promise.resolve()),
      startAgain: (_: unknown, step: string) => Promise.resolve(begun.push(step)),
    } as never,
    new NotedPace(loadConfig(DeliveryPaceConfig, {}), () => 0),
    unlimited,
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
  };
  return { begun, postponed, run: () => handler.execute(new DeliverPost(delivery)) };
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
      if (maxSteps <= 0) return Promise.resolve({ kind: 'stopped', why: { kind: 'failed' }, steps: 0 });
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
});

describe('delivering a post', () => {
  it('repeats what never left, a few times', async () => {
    const once = aDelivery([notSent, notSent, published]);
    expect((await once.run()).kind).toBe('published');
    const never = aDelivery([notSent, notSent, notSent, notSent]);
    expect(await never.run()).toMatchObject({ kind: 'failed', failure: { class: 'transient' } });
    expect(never.calls).toHaveLength(3);
  });

  it('asks for a token that cannot be renewed right now as often as it repeats a call', async () => {
    const unavailable: Access = { kind: 'unavailable' };
    const soon = aDelivery([published], undefined, [unavailable, unavailable]);
    expect((await soon.run()).kind).toBe('published');
    const late = aDelivery([published], undefined, [unavailable, unavailable, unavailable]);
    expect(await late.run()).toMatchObject({ kind: 'failed', failure: { code: 'token_not_renewed' } });
    expect(late.calls).toHaveLength(0);
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
    const stuck = aDelivery([refused({ kind: 'refresh' }, 'auth')], { kind });
    expect(await stuck.run()).toMatchObject({ kind: 'failed', failure: { class: failureClass } });
    expect(stuck.calls).toHaveLength(1);
  });

  it('holds the account for as long as the network names, by the database’s clock', async () => {
    const limited = aDelivery([refused({ kind: 'hold', milliseconds: 900_000 })]);
    expect(await limited.run()).toEqual({ kind: 'held', until: heldUntil, reason: 'refused' });
    expect(limited.holds).toEqual([['c', 900_000, 'refused']]);
  });

  it('holds the whole network when it refuses this service', async () => {
    const forbidden = aDelivery([refused(undefined, 'configuration')]);
    expect((await forbidden.run()).kind).toBe('failed');
    expect(forbidden.holds).toEqual([['x', 'refused']]);
  });

  it('sends nothing once it may not', async () => {
    const frozen = aDelivery([{ kind: 'abandoned' }]);
    expect(await frozen.run()).toEqual({ kind: 'abandoned' });
  });
});
