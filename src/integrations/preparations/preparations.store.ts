import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { Database } from '#libs/database';
import { SecretIsUnreadable } from '#libs/encryption';
import { outdatedRows, SecretBox } from '../encryption/secret-box.js';
import type { Prepared, PreparedBefore } from '../domain/provider-publishing.js';
import * as sql from './preparation.statements.js';
import { postponement } from './processing-wait.js';

/** Identifies what is prepared. For other content or another connection it proves nothing and is not continued. */
export interface PreparedPost {
  readonly postId: string;
  readonly connectionId: string;
  /** Identifies the content that is prepared. */
  readonly fingerprint: string;
}

/** Whose steps these are: one attempt at a time works on a post. */
export interface PreparationKey extends PreparedPost {
  readonly attemptId: string;
}

export interface ObsoletePreparation {
  readonly postId: string;
  /** Fingerprint of the content whose preparation stays; null: none stays. */
  readonly kept: string | null;
}

export interface Preparation {
  /** The step to take next; null: everything is there for the irreversible call. */
  readonly step: string | null;
  readonly prepared: Prepared;
  /** Milliseconds, over all waits for this content. */
  readonly waitedMs: number;
}

type State = Pick<Prepared, 'ids' | 'addresses' | 'notes'>;

interface Row {
  readonly step: string | null;
  readonly state: string;
  readonly ageMs: number;
  readonly waitedMs: number;
}

interface OutdatedState {
  readonly id: string;
  readonly keys: string;
  readonly state: string;
}

const NOTHING: State = { ids: {}, addresses: {}, notes: {} };
/** Longer than any late window: until then a row may have to prove that an attempt did not commit. */
const KEPT_SECONDS = 8 * 86_400;
/** Longer than any wait; addresses for uploads end within hours. */
const STATE_KEPT_SECONDS = 86_400;
/** Steps begin again this often because the network dropped what was prepared. */
const RESTARTS = 1;

/** Another attempt works on the post by now, or its account was disconnected. */
export class PreparationIsTaken extends Error {
  constructor() {
    super('Another attempt prepares this post, or its account was disconnected.');
    this.name = 'PreparationIsTaken';
  }
}

/**
 * The progress of each post's preparation. It outlives an attempt that waits or whose worker dies: the next attempt of the same
 * content continues it in any process. Removed when the post is settled.
 */
@Injectable()
export class PreparationsStore {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /**
   * From then on only this attempt can save a step or commit.
   * @param files identifies their bytes: steps of other bytes are not continued. Evidence about the content does not depend on it
   * @throws PreparationIsTaken
   */
  async begin(key: PreparationKey, firstStep: string, files: string | null = null): Promise<Preparation> {
    const { postId, attemptId, connectionId, fingerprint } = key;
    const state = this.encrypted(postId, NOTHING);
    const values = [postId, attemptId, connectionId, fingerprint, firstStep, state, files];
    const [row] = await this.database.query<Row>(sql.BEGIN, values);
    if (!row) throw new PreparationIsTaken();
    const found = this.opened(postId, row);
    if (found) return found;
    await this.restart(key, firstStep, 0);
    return { step: firstStep, prepared: { ...NOTHING, ageMs: 0 }, waitedMs: row.waitedMs };
  }

  /** @returns when the milliseconds will have passed, by the database's clock @throws PreparationIsTaken */
  async save(
    { postId, attemptId }: PreparationKey,
    step: string | null,
    state: State,
    waitMs = 0,
  ): Promise<Instant> {
    const values = [postId, attemptId, step, this.encrypted(postId, state), waitMs];
    const [saved] = await this.database.query<{ until: Date }>(sql.SAVE, values);
    if (!saved) throw new PreparationIsTaken();
    return saved.until.toISOString();
  }

  /** Forgets the steps, as the network has. @returns false: this was so before, for the same content @throws PreparationIsTaken */
  async startAgain(key: PreparationKey, firstStep: string): Promise<boolean> {
    return (await this.restart(key, firstStep, 1)) <= RESTARTS;
  }

  /** @returns when the milliseconds will have passed, by the database's clock @throws PreparationIsTaken */
  async until(key: PreparationKey, milliseconds: number): Promise<Instant> {
    return (await this.waited(key, milliseconds)).until.toISOString();
  }

  /**
   * Counts a wait that the network imposes on this post.
   * @param budgetMs of all waits for this content; absent: that of processing
   * @returns when the wait ends, by the database's clock; null: the budget is used up
   * @throws PreparationIsTaken
   */
  async postponed(key: PreparationKey, milliseconds: number, budgetMs?: number): Promise<Instant | null> {
    const wait = postponement(milliseconds, (await this.waited(key, 0)).waitedMs, budgetMs);
    if (wait === null) return null;
    const values = [key.postId, key.attemptId, wait.milliseconds, wait.counted];
    const [row] = await this.database.query<{ until: Date }>(sql.POSTPONE, values);
    if (!row) throw new PreparationIsTaken();
    return row.until.toISOString();
  }

  /** Has to be stored before the irreversible call. @throws PreparationIsTaken */
  async startCommit({ postId, attemptId }: PreparationKey): Promise<void> {
    const started = await this.database.query(sql.START_COMMIT, [postId, attemptId]);
    if (started.length === 0) throw new PreparationIsTaken();
  }

  /** @returns null when nothing is known of this content */
  async find({ postId, connectionId, fingerprint }: PreparedPost): Promise<PreparedBefore | null> {
    const values = [postId, connectionId, fingerprint];
    const [row] = await this.database.query<Row & { quietMs: number }>(sql.FIND, values);
    const found = row && this.opened(postId, row);
    return found ? { ...found.prepared, quietMs: row.quietMs } : null;
  }

  /** @returns true: the attempt never began the irreversible call, and no longer can. */
  async reclaim(postId: string, attemptId: string): Promise<boolean> {
    return (await this.database.query(sql.RECLAIM, [postId, attemptId])).length > 0;
  }

  async delete(posts: readonly ObsoletePreparation[]): Promise<void> {
    if (posts.length === 0) return;
    await this.database.query(sql.FORGET, [posts.map(({ postId }) => postId), posts.map(({ kept }) => kept)]);
  }

  /** Erases ids and addresses. The rows stay: they prove that attempts did not commit. */
  async erase(connectionId: string): Promise<void> {
    await this.database.query(sql.ERASE, [connectionId]);
  }

  async deleteOld(): Promise<void> {
    await this.database.query(sql.ERASE_OLD, [STATE_KEPT_SECONDS]);
    await this.database.query(sql.DELETE_OLD, [KEPT_SECONDS]);
  }

  /** Encrypts with the newest key what another key encrypted. @returns how many rows that were */
  async reencrypt(limit = 100): Promise<number> {
    let count = 0;
    const { newestKey } = this.box;
    for await (const rows of outdatedRows<OutdatedState>(this.database, sql.OUTDATED, newestKey, limit))
      for (const { id, state } of rows) if (await this.reencryptOne(id, state)) count += 1;
    return count;
  }

  private async waited({ postId, attemptId }: PreparationKey, milliseconds: number) {
    const values = [postId, attemptId, milliseconds];
    const [row] = await this.database.query<{ until: Date; waitedMs: number }>(sql.UNTIL, values);
    if (!row) throw new PreparationIsTaken();
    return row;
  }

  private async restart(
    { postId, attemptId }: PreparationKey,
    firstStep: string,
    counts: 0 | 1,
  ): Promise<number> {
    const values = [postId, attemptId, firstStep, this.encrypted(postId, NOTHING), counts];
    const [started] = await this.database.query<{ restarted: number }>(sql.START_AGAIN, values);
    if (!started) throw new PreparationIsTaken();
    return started.restarted;
  }

  /** What no key opens stays: the next attempt begins again. */
  private async reencryptOne(postId: string, state: string): Promise<boolean> {
    const opened = this.open(postId, state);
    if (opened === null) return false;
    const values = [postId, state, this.encrypted(postId, opened)];
    return (await this.database.query(sql.REENCRYPT, values)).length > 0;
  }

  private opened(postId: string, { step, state, ageMs, waitedMs }: Row): Preparation | null {
    const opened = this.open(postId, state);
    return opened && { step, prepared: { ...opened, ageMs }, waitedMs };
  }

  private open(postId: string, state: string): State | null {
    try {
      return JSON.parse(this.box.decrypt(state, placeOf(postId))) as State;
    } catch (error) {
      if (error instanceof SecretIsUnreadable) return null;
      throw error;
    }
  }

  private encrypted(postId: string, { ids, addresses, notes }: State): string {
    return this.box.encrypt(JSON.stringify({ ids, addresses, notes }), placeOf(postId));
  }
}

const placeOf = (postId: string): string => `integrations.publish_preparation/${postId}/state`;
