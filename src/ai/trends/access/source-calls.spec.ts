import type { Database } from '#libs/database';
import { Leases } from '#libs/due-work';
import type { HttpConfig, RateLimits } from '#libs/http';
import type { AsksStore } from '../asks.store.js';
import type { SourceKind } from '../domain/trend.js';
import { SourceCalls } from './source-calls.js';
import { failed, inDoubt, type SourceRequest, type SourceResult } from '../sources/trend-source.js';
import type { TrendsConfig } from '../trends.config.js';
import type { TrendsStore } from '../trends.store.js';

const ASKER = { organizationId: 'o', brandName: 'Acme' };
const FOUND: SourceResult = { kind: 'found', name: 'n', trends: [], dropped: 0 };
/** Of one kind in one process, and those of one organization that wait. */
const [CALLS, WAITING] = [32, 128];

/** Sources that respond when the test says so, and what is stored. */
class Stage {
  readonly leased: string[] = [];
  readonly released: string[] = [];
  readonly saved: SourceResult[] = [];
  readonly asked: SourceRequest[] = [];
  endedAsks = 0;
  readonly response = Promise.withResolvers<SourceResult>();

  calls(shutdownGraceMs = 60_000): SourceCalls {
    const database = { transaction: (work: (transaction: unknown) => unknown) => work({}) };
    const leases = Object.assign(new Leases(), {
      held: () => Promise.resolve(new Set()),
      acquire: (_: unknown, [key = '']: readonly string[]) => {
        this.leased.push(key);
        return Promise.resolve(new Map([[key, '1']]));
      },
      renew: (_: unknown, held: ReadonlyMap<string, string>) => Promise.resolve(new Set(held.keys())),
      release: (_: unknown, held: ReadonlyMap<string, string>) => {
        this.released.push(...held.keys());
        return Promise.resolve();
      },
    });
    const store = {
      version: () => Promise.resolve(0),
      save: (_: unknown, __: unknown, result: SourceResult) => Promise.resolve(void this.saved.push(result)),
    };
    const asks = {
      reserve: (source: unknown, asker: object) => Promise.resolve({ ...asker, source }),
      end: () => Promise.resolve(void (this.endedAsks += 1)),
    };
    const source = {
      fetch: (request: SourceRequest) => {
        this.asked.push(request);
        return this.response.promise;
      },
    };
    return new SourceCalls(
      database as unknown as Database,
      leases,
      { take: () => Promise.resolve({ allowed: true }) } as unknown as RateLimits,
      store as unknown as TrendsStore,
      asks as unknown as AsksStore,
      { limitPerHour: 1 } as TrendsConfig,
      { shutdownGraceMs } as HttpConfig,
      { model: source, feed: source },
    );
  }

  /** Once nothing more can happen without a response of a source. */
  settled(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

const aSource = (key: number | string, kind: SourceKind = 'model') => ({ brandId: 'b', kind, key: `${key}` });

describe('calls of sources', () => {
  it('take a lease when they have a place, and leave the places of other kinds free', async () => {
    const stage = new Stage();
    const calls = stage.calls();
    const all = Array.from({ length: CALLS + WAITING }, (_, key) => calls.ask(aSource(key), 0, ASKER));
    await stage.settled();
    const busy = { kind: 'not-asked', code: 'source_busy', retryAfterSeconds: 5 };
    expect(await calls.ask(aSource('one more'), 0, ASKER)).toEqual(busy);
    expect([stage.leased.length, stage.asked.length]).toEqual([CALLS, CALLS]);
    all.push(calls.ask(aSource('a feed', 'feed'), 0, ASKER));
    await stage.settled();
    expect(stage.asked).toHaveLength(CALLS + 1);
    stage.response.resolve(FOUND);
    expect(new Set((await Promise.all(all)).map(({ kind }) => kind))).toEqual(new Set(['asked']));
    expect(stage.saved).toHaveLength(CALLS + WAITING + 1);
  });

  it.each([
    ['found', FOUND, 1],
    ['failed', failed('feed_refused'), 1],
    ['in doubt', inDoubt('TimeoutError'), 0],
  ])('end their request when it is certain: %s', async (_, result, ended) => {
    const stage = new Stage();
    stage.response.resolve(result);
    await stage.calls().ask(aSource(1), 0, ASKER);
    expect([stage.saved, stage.endedAsks]).toEqual([[result], ended]);
  });

  it('keep their request when the source throws', async () => {
    const stage = new Stage();
    stage.response.reject(new Error('a defect'));
    await stage.calls().ask(aSource(1), 0, ASKER);
    expect([stage.saved, stage.endedAsks]).toEqual([[inDoubt('source_failed')], 0]);
  });

  it('store their results before the process ends', async () => {
    const stage = new Stage();
    const calls = stage.calls();
    void calls.ask(aSource(1), 0, ASKER);
    await stage.settled();
    const ended = calls.beforeApplicationShutdown();
    await stage.settled();
    expect(stage.released).toEqual([]);
    stage.response.resolve(FOUND);
    await ended;
    expect([stage.saved, stage.released]).toEqual([[FOUND], ['trends:b:model:1']]);
  });

  it('keep their leases when the process ends first, and start no more', async () => {
    const stage = new Stage();
    const calls = stage.calls(0);
    const [first] = Array.from({ length: CALLS + 1 }, (_, key) => calls.ask(aSource(key), 0, ASKER));
    await stage.settled();
    await calls.beforeApplicationShutdown();
    expect([stage.released, stage.saved]).toEqual([[], []]);
    stage.response.resolve(FOUND);
    await first;
    await stage.settled();
    expect(stage.asked).toHaveLength(CALLS);
  });
});
