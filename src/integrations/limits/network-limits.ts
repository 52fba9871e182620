import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { ConnectionsStore } from '../connections/connections.store.js';
import { PlatformHolds, RATE_LIMIT_REACHED } from '../connections/platform-holds.store.js';
import type { LimitReading } from '../domain/network-limits.js';
import type { Account } from '../domain/provider-publishing.js';
import type { PublishingProvider } from '../provider.types.js';
import { type Counter, counterOf } from './counters.js';
import { GrantedLimits } from './granted-limits.js';
import type { Use } from './granted-uses.js';
import { UsageQueue } from './usage-queue.js';

export interface MeteredAccount {
  readonly connectionId: string;
  readonly account: Account;
}

/** Nothing was sent: a limit of the network is reached. */
export interface LimitReached {
  readonly kind: 'held';
  readonly until: Instant;
  readonly reason: string;
  readonly isStated: true;
}

interface Answer {
  readonly kind: string;
  readonly readings?: readonly LimitReading[];
}

type Metered = Pick<PublishingProvider, 'platform' | 'limits'>;

const SHORTEST_HOLD_MS = 100;

/** These answers prove that no request reached the network. */
const NOT_SENT: ReadonlySet<string> = new Set(['not-sent', 'abandoned']);

/** Keeps calls within the limits of networks, over all workers: one statement for all calls that begin while the one before runs. */
@Injectable()
export class NetworkLimits implements BeforeApplicationShutdown {
  private readonly logger = new Logger(NetworkLimits.name);

  constructor(
    private readonly granted: GrantedLimits,
    private readonly queue: UsageQueue,
    private readonly connections: ConnectionsStore,
    private readonly platforms: PlatformHolds,
  ) {}

  /**
   * Sends one call when the limits of the account and of this service allow it, else holds the account or the network until they
   * do. A call that provably was not sent uses nothing.
   * @param of `post`: the irreversible call. `step`: another one
   * @throws what `send` throws: then it was not sent; and the failure of the database, before it is sent
   */
  async around<Result extends Answer>(
    provider: Metered,
    metered: MeteredAccount,
    of: 'post' | 'step',
    send: () => Promise<Result>,
  ): Promise<Result | LimitReached> {
    const limits = this.granted.of(provider, metered.account);
    if (limits.length === 0) return send();
    const counters = limits.map((limit) => counterOf(provider.platform, metered.account.accountId, limit));
    const used = counters.filter(({ limit: { counts } }) => counts === 'calls' || of === 'post');
    const uses = await this.queue.take(used);
    const refused = uses.filter(({ isGranted }) => !isGranted);
    if (refused.length > 0) return this.hold(provider.platform, metered.connectionId, refused);
    const answer = await send().catch((error: unknown) => {
      this.queue.giveBack(uses);
      throw error;
    });
    this.account(answer, counters, uses);
    return answer;
  }

  /** Never throws: the call was made, and an error would say that it was not. */
  private account(answer: Answer, counters: readonly Counter[], uses: readonly Use[]): void {
    try {
      if (NOT_SENT.has(answer.kind)) this.queue.giveBack(uses);
      else this.learn(counters, uses, answer.readings ?? []);
    } catch (error) {
      this.logger.error(error, 'What a network said about its limits could not be counted.');
    }
  }

  /** What networks have said reaches the other workers. */
  beforeApplicationShutdown(): Promise<void> {
    return this.queue.end();
  }

  private learn(counters: readonly Counter[], uses: readonly Use[], readings: readonly LimitReading[]): void {
    for (const reading of readings) {
      const isOfReading = ({ limit }: Counter) => limit.name === reading.name;
      const use = uses.find((each) => isOfReading(each.counter));
      const counter = counters.find(isOfReading);
      if (counter) this.queue.learn(counter, use, reading);
    }
  }

  /** Until every limit allows the call. */
  private async hold(platform: string, connectionId: string, refused: readonly Use[]): Promise<LimitReached> {
    const ends: Instant[] = [];
    for (const { counter, freeInMs } of refused) {
      const milliseconds = Math.max(freeInMs, SHORTEST_HOLD_MS);
      const held =
        counter.limit.scope === 'account'
          ? this.connections.holdAccount(connectionId, milliseconds, RATE_LIMIT_REACHED)
          : this.platforms.holdFor(platform, milliseconds, RATE_LIMIT_REACHED);
      ends.push(await held);
    }
    const [until = ''] = ends.sort().reverse();
    return { kind: 'held', until, reason: RATE_LIMIT_REACHED, isStated: true };
  }
}
