import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { UsedTime, within } from '#libs/concurrency';
import { CLAIM_LEASE_MS, whileRenewed } from './claim.js';
import { DueLoop } from './due-loop.js';

/** The worker shuts down. */
export class IsStopping extends Error {}

/** What a worker has claimed. */
interface ClaimedItem {
  /** null: its brand is gone. */
  readonly organizationId: string | null;
  /** For the log. */
  readonly id?: string;
}

export interface ClaimRequest<Item = unknown> {
  /** At least 1. */
  readonly limit: number;
  /** Organizations that used time in this lane, the one with the most at the end. Sorted when it is read. */
  readonly used: string[];
  /** Items that this worker works on now. */
  readonly running: readonly Item[];
}

/** Items that delay no items of other lanes. In a lane, organizations take turns by the time that this process worked for each. */
export interface Lane<Item> {
  /** Items at the same time. */
  readonly size: number;
  /** Items of one claim. Default: as many as there is room for. With 1, each claim is for the organization that is next by then. */
  readonly batch?: number;
  /** Claims items that are due: with a fencing token, until the end of a lease. The work on each begins when it is yielded. */
  readonly claim: (request: ClaimRequest<Item>) => Promise<readonly Item[]> | AsyncIterable<Item>;
  /** Milliseconds until the next item is due. Default: it is not known. */
  readonly nextInMs?: () => Promise<number>;
}

export interface ClaimingOptions<Item> {
  readonly leaseMs?: number;
  /** @returns false when the claim is lost. Default: a lease outlives the work on an item */
  readonly renew?: (item: Item) => Promise<boolean>;
  readonly pollMs?: number;
  /** How long the work on items may go on at shutdown before its signal is aborted. Default 0. */
  readonly graceMs?: number;
  readonly monotonic?: () => number;
}

/** Of the work on one item. */
export interface Handling {
  /** Aborted with ClaimIsLost or IsStopping. */
  readonly signal: AbortSignal;
  /** To be called when the work itself starts: the time before, in a queue behind others, is not counted for the organization. */
  readonly onStart: () => void;
}

interface OpenLane<Item> extends Lane<Item> {
  readonly loop: DueLoop;
  readonly used: UsedTime;
}

interface Running {
  readonly lane: unknown;
  /** Of its organization. */
  readonly time?: ReturnType<UsedTime['begin']>;
  readonly work: Promise<void>;
}

/**
 * Claims items that are due and works on each. Any number of workers may run: a claim is a lease with a fencing token, which is renewed
 * during the work. When a worker dies, another one claims the item after the lease.
 */
export abstract class ClaimingWorker<Item extends ClaimedItem>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  protected readonly logger = new Logger(this.constructor.name);
  private readonly lanes: readonly OpenLane<Item>[];
  private readonly running = new Map<Item, Running>();
  /** Aborted at shutdown, after `graceMs`. */
  protected readonly stopping = new AbortController();

  protected constructor(
    lanes: readonly Lane<Item>[],
    private readonly options: ClaimingOptions<Item> = {},
  ) {
    this.lanes = lanes.map((lane) => this.open(lane));
  }

  onApplicationBootstrap(): void {
    for (const { loop } of this.lanes) loop.start();
  }

  /** Claims no more. Resolves when the work on all items has ended, which it is asked to after `graceMs`. */
  async beforeApplicationShutdown(): Promise<void> {
    const { graceMs = 0 } = this.options;
    const ended = this.stop();
    if (graceMs > 0) await within(graceMs, ended);
    this.stopping.abort(new IsStopping());
    await ended;
  }

  /** Items are due now. */
  wake(): void {
    for (const { loop } of this.lanes) loop.wake();
  }

  /** Claims once in each lane. Resolves when the work on all items has ended. */
  async runOnce(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => this.claim(lane)));
    await this.settled();
  }

  /** Claims no more. Resolves when the work on all items has ended. */
  protected async stop(): Promise<void> {
    await Promise.all(this.lanes.map(({ loop }) => loop.stop()));
    await this.settled();
  }

  protected async settled(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ work }) => work));
  }

  /** Ends the claim, with an outcome or without. When it fails, the claim ends with its lease. */
  protected abstract settle(item: Item): Promise<void>;

  /**
   * Runs `work` while the claim is renewed.
   * @throws ClaimIsLost, IsStopping and what `work` throws
   */
  protected whileClaimed<T>(item: Item, work: (handling: Handling) => Promise<T>): Promise<T> {
    const { leaseMs = CLAIM_LEASE_MS, renew } = this.options;
    const onStart = (): void => this.running.get(item)?.time?.restart();
    const handle = (lost: AbortSignal): Promise<T> =>
      work({ signal: AbortSignal.any([lost, this.stopping.signal]), onStart });
    return whileRenewed({ leaseMs, renew: async () => (await renew?.(item)) ?? true }, handle);
  }

  private open(lane: Lane<Item>): OpenLane<Item> {
    const open: OpenLane<Item> = {
      ...lane,
      used: new UsedTime(this.options.monotonic),
      loop: new DueLoop({
        run: () => this.claim(open),
        pollMs: this.options.pollMs,
        onError: (error) => this.logger.error(error, 'Due items could not be claimed. They are tried again.'),
      }),
    };
    return open;
  }

  /** @returns milliseconds until it is worth claiming again */
  private async claim(lane: OpenLane<Item>): Promise<number> {
    const running = [...this.running].flatMap(([item, each]) => (each.lane === lane ? item : []));
    const limit = Math.min(lane.size - running.length, lane.batch ?? Infinity);
    if (limit <= 0) return Infinity;
    const { used } = lane;
    const request = {
      limit,
      running,
      get used() {
        return used.leastFirst();
      },
    };
    let claimed = 0;
    for await (const item of await lane.claim(request)) {
      this.start(item, lane);
      claimed += 1;
    }
    return claimed < limit ? ((await lane.nextInMs?.()) ?? Infinity) : 0;
  }

  private start(item: Item, lane: OpenLane<Item>): void {
    const { organizationId } = item;
    const time = organizationId === null ? undefined : lane.used.begin(organizationId);
    // The work may ask for the time at once.
    const work = Promise.resolve()
      .then(() => this.settle(item))
      .catch((error: unknown) =>
        this.logger.error(
          { err: error, id: item.id },
          'A claim has no stored outcome. It ends with its lease.',
        ),
      );
    this.running.set(item, { lane, time, work });
    void work.finally(() => {
      time?.end();
      this.running.delete(item);
      lane.loop.wake();
    });
  }
}
