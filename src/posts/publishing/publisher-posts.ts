import { randomUUIDv7 } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Database, DatabaseIsUnavailable, isRefusal, isTransient, type Transaction } from '#libs/database';
import {
  type Changed,
  type EventMetadata,
  type Loaded,
  StreamHasMoved,
  StreamNotFound,
} from '#libs/event-store';
import { DeletePreparations } from '../../integrations/index.js';
import type { By, PostEvent } from '../domain/post.events.js';
import { type ExistingPost, exists, mustExist, type Post } from '../domain/post.js';
import { Posts } from '../posts.stream.js';
import { PublishMetrics } from './metrics.js';
import { Quarantine } from './quarantine.js';
import { RecoveryHasChanged } from './recovery.js';

/** What is decided about a post, stored only on the version that it was decided on. */
export interface PublishingChange {
  readonly postId: string;
  readonly organizationId: string;
  readonly from: Loaded<Post>;
  readonly events: readonly PostEvent[];
  /** Fingerprint of the content that an attempt begins to send: what was prepared for other content is removed. */
  readonly prepared?: string;
}

export type LoadedPost = Loaded<ExistingPost>;
export type Stored = Changed<Post, PostEvent> | StreamHasMoved;

export interface Batch<Item> {
  /** In the transaction that stores them: the changes, in the order of the items. */
  readonly changesOf: (
    items: readonly Item[],
    transaction: Transaction,
  ) => Promise<readonly PublishingChange[]>;
  /** At the end of that transaction. */
  readonly afterwards?: (items: readonly Item[], transaction: Transaction) => Promise<void>;
  /** What is stored instead of an item that the database refuses; without it the post goes to quarantine. */
  readonly instead?: (item: Item, refusal: unknown) => Item;
}

/**
 * - what was stored, or that the post has changed since; after an error that is not known as a failure of the database, perhaps
 *   by this very change
 * - `refused`: it could not be stored and the post is in quarantine. A server that refuses it stores nothing; an error of another
 *   origin proves nothing.
 * - `unknown`: the database failed
 */
export type StoreResult = Stored | 'refused' | 'unknown';

/** Actor of all changes by a worker. */
export const publisher: By = { type: 'system', id: 'publisher' };

const SETTLING: ReadonlySet<string> = new Set<PostEvent['type']>(['PostPublished', 'PostPublishFailed']);

/** PostgreSQL, appendix A: a schema that is being changed. The same may be stored once that is done. */
const SCHEMA_SQLSTATE = /^42[0-9A-Z]{3}$/;

/** A row that is locked fails one item, a statement that is too slow may fail each. */
const MAX_FAILURES = 3;

/**
 * The posts as the publisher reads and changes them. A post that cannot be read or stored goes to quarantine and delays no
 * other post.
 */
@Injectable()
export class PublisherPosts {
  private readonly logger = new Logger(PublisherPosts.name);

  constructor(
    private readonly database: Database,
    private readonly posts: Posts,
    private readonly commands: CommandBus,
    private readonly metrics: PublishMetrics,
    readonly quarantine: Quarantine,
  ) {}

  /** By post id; without those that do not exist or went to quarantine. */
  async load(postIds: readonly string[]): Promise<ReadonlyMap<string, LoadedPost>> {
    const loaded = await this.posts.loadMany(postIds, (postId, error) => this.quarantine.add(postId, error));
    const found = [...loaded].flatMap(([postId, { state, ...rest }]) =>
      exists(state) ? [[postId, { ...rest, state }] as const] : [],
    );
    return new Map(found);
  }

  /**
   * Stores all items in one transaction. When the database refuses that, stores each in its own transaction, in their order,
   * until the database is away or fails MAX_FAILURES times.
   * @returns in the order of the items
   * @throws the failure of the database, if nothing but that is known of any item
   */
  async store<Item extends { readonly postId: string }>(
    items: readonly Item[],
    batch: Batch<Item>,
  ): Promise<StoreResult[]> {
    try {
      return await this.storeTogether(items, batch);
    } catch (error) {
      if (isFailureOfDatabase(error)) throw error;
      this.logger.error(
        error,
        'A batch of changes could not be stored. Each is stored in its own transaction.',
      );
    }
    return this.storeEach(items, batch);
  }

  /** Decides on the latest state, again after a concurrent change, a few times. @returns whether anything was stored */
  async change(
    { postId, organizationId, from }: Omit<PublishingChange, 'events'>,
    decide: (post: Post) => PostEvent[],
  ): Promise<boolean> {
    const context = workerContext(organizationId, mustExist(from.state).brandId);
    try {
      const { events } = await this.posts.change(postId, () => decide, context);
      this.metrics.stored(events);
      return events.length > 0;
    } catch (error) {
      if (isFailureOfDatabase(error)) throw error;
      const isOthers = error instanceof StreamNotFound || error instanceof StreamHasMoved;
      if (!isOthers) this.quarantine.add(postId, error);
      return false;
    }
  }

  /** Joins the running transaction. @param committed called once the change is */
  async append(
    change: PublishingChange,
    committed: (changed: Changed<Post, PostEvent>) => void,
  ): Promise<Stored> {
    const [answer] = await this.database.transaction((transaction) =>
      this.posts.changeMany(transaction, [pendingOf(change)]),
    );
    if (isStored(answer)) this.database.afterCommit(() => committed(answer));
    return answer as Stored;
  }

  private async storeEach<Item extends { readonly postId: string }>(
    items: readonly Item[],
    batch: Batch<Item>,
  ): Promise<StoreResult[]> {
    const answers: StoreResult[] = items.map(() => 'unknown');
    const failures: unknown[] = [];
    for (const [index, item] of items.entries()) {
      try {
        answers[index] = await this.storeAlone(item, batch);
      } catch (error) {
        failures.push(error);
        if (concernsAll(error) || failures.length === MAX_FAILURES) break;
      }
    }
    if (failures.length === 0) return answers;
    if (answers.every((answer) => answer === 'unknown')) throw failures[0];
    this.logger.error(failures[0], 'Some of these changes could not be stored.');
    return answers;
  }

  private storeTogether<Item>(items: readonly Item[], batch: Batch<Item>): Promise<Stored[]> {
    return this.database.transaction(async (transaction) => {
      const changes = await batch.changesOf(items, transaction);
      const answers = await this.posts.changeMany(transaction, changes.map(pendingOf));
      const outdated = changes.filter((_, index) => isStored(answers[index])).flatMap(obsoleteIn);
      await this.commands.execute(new DeletePreparations({ posts: outdated }));
      await batch.afterwards?.(items, transaction);
      const events = answers.filter(isStored).flatMap((changed) => changed.events);
      this.database.afterCommit(() => this.metrics.stored(events));
      return answers;
    });
  }

  private async storeAlone<Item extends { readonly postId: string }>(
    item: Item,
    batch: Batch<Item>,
  ): Promise<StoreResult> {
    try {
      return (await this.storeTogether([item], batch))[0] as Stored;
    } catch (error) {
      if (isFailureOfDatabase(error)) throw error;
      const { instead, ...rest } = batch;
      if (instead) return this.storeAlone(instead(item, error), rest);
      this.quarantine.add(item.postId, error);
      return 'refused';
    }
  }
}

export const isStored = (answer: StoreResult | undefined): answer is Changed<Post, PostEvent> =>
  typeof answer === 'object' && !(answer instanceof StreamHasMoved);

/**
 * The same may be stored later. A refused login (a rotated password, a database that is being restored) concerns no single post.
 * The recovery of the database has to be looked at again before that.
 */
export const isFailureOfDatabase = (error: unknown): boolean =>
  isTransient(error) ||
  isRefusal(error) ||
  error instanceof RecoveryHasChanged ||
  SCHEMA_SQLSTATE.test(String((error as { code?: unknown } | null)?.code));

const concernsAll = (error: unknown): boolean =>
  error instanceof DatabaseIsUnavailable || error instanceof RecoveryHasChanged;

const pendingOf = ({ postId, organizationId, from, events }: PublishingChange) => ({
  id: postId,
  from,
  events,
  context: workerContext(organizationId, mustExist(from.state).brandId),
});

/** What was prepared for other content proves nothing about an attempt; a settled post needs nothing prepared. */
function obsoleteIn({ postId, events, prepared }: PublishingChange): DeletePreparations['request']['posts'] {
  if (prepared !== undefined) return [{ postId, kept: prepared }];
  return events.some(({ type }) => SETTLING.has(type)) ? [{ postId, kept: null }] : [];
}

/** The circumstances of everything the publisher does to one post. */
function workerContext(organizationId: string, brandId: string): EventMetadata {
  return {
    organizationId,
    brandId,
    actor: publisher,
    channel: 'worker',
    requestId: null,
    correlationId: randomUUIDv7(),
    causationId: null,
  };
}
