import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CLAIM_LEASE_MS, ClaimIsLost } from './claim.js';
import { ClaimingWorker } from './claiming-worker.js';

const RENEW_EVERY_MS = CLAIM_LEASE_MS / 4;

interface Item {
  readonly organizationId: string;
}

class SampleWorker extends ClaimingWorker<Item> {
  constructor(renew: () => Promise<boolean>) {
    super([], { renew });
  }

  protected settle(): Promise<void> {
    return Promise.resolve();
  }

  /** The signal of work that does not end by itself. */
  async begin(): Promise<AbortSignal> {
    const begun = Promise.withResolvers<AbortSignal>();
    void this.whileClaimed({ organizationId: 'a' }, ({ signal }) => {
      begun.resolve(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    }).catch(() => undefined);
    return begun.promise;
  }
}

describe('the work on a claim', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => jest.useRealTimers());

  it('ends when the claim is lost', async () => {
    const answers = [true, true, false];
    const signal = await new SampleWorker(() => Promise.resolve(answers.shift() ?? false)).begin();
    await jest.advanceTimersByTimeAsync(2 * RENEW_EVERY_MS);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(RENEW_EVERY_MS);
    expect(signal.reason).toBeInstanceOf(ClaimIsLost);
  });

  it('goes on when a renewal fails: the lease outlives several', async () => {
    let asked = 0;
    const worker = new SampleWorker(() => {
      asked += 1;
      return Promise.reject(new Error('no database'));
    });
    const signal = await worker.begin();
    await jest.advanceTimersByTimeAsync(3 * RENEW_EVERY_MS);
    expect([asked, signal.aborted]).toEqual([3, false]);
    await worker.beforeApplicationShutdown();
    expect(signal.aborted).toBe(true);
  });

  it('is not renewed again while a renewal has no answer', async () => {
    let asked = 0;
    const worker = new SampleWorker(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    await worker.begin();
    await jest.advanceTimersByTimeAsync(3 * RENEW_EVERY_MS);
    expect(asked).toBe(1);
    await worker.beforeApplicationShutdown();
  });
});

describe('a lane', () => {
  it('works on what it has claimed while it claims more', async () => {
    const begun: string[] = [];
    const more = Promise.withResolvers<void>();
    class PagesOfItems extends ClaimingWorker<Item> {
      constructor() {
        super([{ size: 2, claim: pages }]);
      }

      protected settle({ organizationId }: Item): Promise<void> {
        begun.push(organizationId);
        more.resolve();
        return Promise.resolve();
      }
    }
    async function* pages(): AsyncIterable<Item> {
      yield { organizationId: 'a' };
      await more.promise;
      yield { organizationId: 'b' };
    }
    await new PagesOfItems().runOnce();
    expect(begun).toEqual(['a', 'b']);
  });
});
