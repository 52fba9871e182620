import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetConnectionAccounts } from '../../integrations/index.js';
import type { Claimed } from './attempt.js';
import { PublishCandidatesStore, type UnsettledAttempt } from './candidates.store.js';
import { PublishLeases } from './leases.js';
import { OpenAttempts, type TaskOf } from './open-attempts.js';
import { PublishConfig } from './publish.config.js';

export interface TakeoverRequest {
  /** At most so many. */
  readonly limit: number;
  /** Ids of attempts that this worker has taken over already. */
  readonly except: readonly string[];
}

/** Claims attempts whose worker is gone: begun longer ago than a lease and a call last, and no worker holds their account. */
@Injectable()
export class AbandonedAttempts {
  constructor(
    private readonly queries: QueryBus,
    private readonly candidates: PublishCandidatesStore,
    private readonly leases: PublishLeases,
    private readonly attempts: OpenAttempts,
    private readonly config: PublishConfig,
  ) {}

  /** One of each account, oldest first, page by page: what is claimed when a later page fails must be settled too. */
  async *take({ limit, except }: TakeoverRequest): AsyncGenerator<Claimed, void> {
    let taken = 0;
    for (let skip = 0; taken < limit; skip += limit) {
      const open = await this.open(limit, skip, except);
      const claimed = await this.takeFreeOf(open, limit - taken);
      taken += claimed.length;
      yield* claimed;
      if (open.length < limit) return;
    }
  }

  private open(limit: number, skip: number, exceptAttempts: readonly string[]): Promise<UnsettledAttempt[]> {
    const { abandonedAfterMs } = this.config;
    return this.candidates.unsettledAttempts({ olderThanMs: abandonedAfterMs, limit, skip, exceptAttempts });
  }

  private async takeFreeOf(open: readonly UnsettledAttempt[], limit: number): Promise<Claimed[]> {
    if (open.length === 0) return [];
    const firsts = await this.firstOfEachAccount(open);
    const held = await this.leases.heldOf([...firsts.keys()]);
    const free = [...firsts].filter(([key]) => !held.has(key)).slice(0, limit);
    return this.attempts.claim(new Map(free), taskOf);
  }

  private async firstOfEachAccount(
    open: readonly UnsettledAttempt[],
  ): Promise<ReadonlyMap<string, UnsettledAttempt>> {
    const ids = open.map(({ connectionId }) => connectionId);
    const accounts = await this.queries.execute(new GetConnectionAccounts({ connectionIds: ids }));
    const keyOf = ({ connectionId }: UnsettledAttempt) =>
      accounts.get(connectionId) ?? `connection:${connectionId}`;
    return new Map(open.toReversed().map((attempt) => [keyOf(attempt), attempt]));
  }
}

const taskOf: TaskOf = ({ startedAt, maybeLiveSince }) =>
  maybeLiveSince === null ? { kind: 'take-over', since: startedAt } : { kind: 'find', since: maybeLiveSince };
