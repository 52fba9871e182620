import type { Instant } from '#libs/content';
import type { Database, Statement, Transaction } from '#libs/database';
import { type Aggregate, fold } from './aggregate.js';
import type { Expectation, HeldRow } from './append-request.js';
import type { DomainEvent, RecordedEvent } from './domain-event.js';
import {
  mapReadable,
  type OnUnreadable,
  StreamHasMoved,
  StreamNotFound,
  throwUnreadable,
  VersionIsStale,
} from './event-store.errors.js';
import type { EventStore, StreamContents } from './event-store.js';
import type { InlineView } from './inline-view.js';
import {
  type ChangeContext,
  type Changed,
  type ChangeOptions,
  type CreateOptions,
  type DecisionBasis,
  type FollowUp,
  jitter,
  type Loaded,
  MAX_TRIES,
  type NewStream,
  type PendingChange,
  type StreamChange,
} from './stream-change.js';
import { TableView } from './table-view.js';

/**
 * Read, fold, decide with the database's time, append at the version read, save the view and run the follow-up in the same
 * transaction; after a concurrent append, repeat from the read.
 *
 * Inside a running transaction, a `version` conflict is repeated there. An `order` conflict is thrown, because it needs a
 * new transaction: the code that opened the transaction repeats it.
 */
export class Stream<State, E extends DomainEvent> {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    readonly aggregate: Aggregate<State, E>,
    readonly view?: InlineView<State>,
    private readonly followUp?: FollowUp<State, E>,
  ) {
    store.upcasters.register(aggregate.upcasters ?? {});
    store.types.declare(aggregate.streamType, aggregate.eventTypes);
  }

  /** @throws StreamNotFound when there are no events, or those of another stream type */
  async load(id: string): Promise<Loaded<State>> {
    return this.folded(await this.store.read<E>(id));
  }

  /**
   * As `load`, with the value of another query in the same statement.
   * @param query returns at most one row with one column about the stream, whose id is $1; no row gives null
   */
  async loadWith<Value>(
    id: string,
    query: Statement,
  ): Promise<{ readonly loaded: Loaded<State>; readonly value: Value | null }> {
    const contents = await this.store.readWith<E, Value>(id, query);
    return { loaded: this.folded(contents), value: contents.value };
  }

  /**
   * By one statement. The result omits missing streams.
   * @param unreadable called for each stream that this release cannot read or fold; the result omits it. Default: throw.
   */
  async loadMany(
    ids: readonly string[],
    unreadable: OnUnreadable = throwUnreadable,
  ): Promise<Map<string, Loaded<State>>> {
    const contents = await this.store.readMany<E>(ids, unreadable);
    const found = [...contents].filter(([, { events }]) => this.isOwnType(events));
    return mapReadable(found, (stream) => this.folded(stream), unreadable);
  }

  /** @throws StreamHasMoved when the stream exists, or without the row to hold */
  async create(
    id: string,
    decide: (now: Instant) => readonly E[],
    context: ChangeContext<State>,
    options: CreateOptions = {},
  ): Promise<Changed<State, E>> {
    const now = options.now ?? (await this.store.now());
    const from = { state: this.aggregate.initial, version: 0, at: now, now };
    return this.commit(id, from, 'none', decide(now), context, options.held);
  }

  /** Creates all streams or none, each with at least one event. @throws as `create`, the errors of `decide` */
  async createMany(
    decide: (now: Instant) => readonly NewStream<E>[],
    context: ChangeContext<State>,
    options: Pick<CreateOptions, 'now'> = {},
  ): Promise<Changed<State, E>[]> {
    const now = options.now ?? (await this.store.now());
    const from = { state: this.aggregate.initial, version: 0, at: now, now };
    const changes = decide(now).map((created) => ({ ...created, from, context }));
    return this.database.transaction(async (transaction) => {
      const answers = await this.changeMany(transaction, changes);
      const moved = answers.find((answer) => answer instanceof StreamHasMoved);
      if (moved) throw moved;
      return answers as Changed<State, E>[];
    });
  }

  /**
   * @param decide called with the database's time and the state, again after each conflict
   * @param options.ifVersion the only version that the decision may be made on
   * @throws StreamNotFound, VersionIsStale, the errors of `decide`, and StreamHasMoved after the last try
   */
  async change(
    id: string,
    decide: (now: Instant) => (state: State) => readonly E[],
    context: ChangeContext<State>,
    options: ChangeOptions = {},
  ): Promise<Changed<State, E>> {
    const load = async () => ({ from: await this.load(id), context });
    const { changed } = await this.changeAs(id, load, ({ from }) => decide(from.now)(from.state), options);
    return changed;
  }

  /**
   * As `change`, for decisions that depend on more than the stream. Each try starts with `authorize` again, so that a
   * caller who lost access in between is refused.
   * @param authorize reads the stream, refuses the caller, and returns all that `decide` needs
   * @returns the change, with the basis of its decision
   * @throws the errors of `authorize` and `decide`, VersionIsStale, and StreamHasMoved after the last try
   */
  async changeAs<Basis extends DecisionBasis<State>>(
    id: string,
    authorize: () => Promise<Basis>,
    decide: (basis: Basis) => readonly E[],
    { ifVersion }: ChangeOptions = {},
  ): Promise<{ readonly changed: Changed<State, E>; readonly basis: Basis }> {
    for (let tried = 1; ; tried += 1) {
      const basis = await authorize();
      const { from, context } = basis;
      if (ifVersion !== undefined && ifVersion !== from.version) throw new VersionIsStale(from.version);
      const events = decide(basis);
      try {
        return { changed: await this.commit(id, from, from.version, events, context), basis };
      } catch (error) {
        if (!(error instanceof StreamHasMoved) || tried >= MAX_TRIES || this.needsNewTransaction(error))
          throw error;
        await jitter(tried);
      }
    }
  }

  /**
   * Appends decisions on many streams by one statement and saves their view rows by another.
   * @returns in the order of `changes`: the change, or StreamHasMoved after a concurrent append
   */
  async changeMany(
    transaction: Transaction,
    changes: readonly PendingChange<State, E>[],
  ): Promise<(Changed<State, E> | StreamHasMoved)[]> {
    const appended = await this.store.appendMany(
      transaction,
      changes.map(({ id, from, events, context }) =>
        this.request(id, from, from.version === 0 ? 'none' : from.version, events, context),
      ),
    );
    const answers = changes.map(({ id, from }, index) => {
      const events = appended[index] as RecordedEvent<E>[] | StreamHasMoved;
      return events instanceof StreamHasMoved ? events : this.changed(id, from, events);
    });
    const stored = answers.filter(
      (answer): answer is Changed<State, E> => !(answer instanceof StreamHasMoved),
    );
    if (stored.length > 0) await this.view?.save(transaction, stored);
    await this.follow(
      answers.flatMap((answer, index) =>
        answer instanceof StreamHasMoved
          ? []
          : [{ ...answer, before: (changes[index] as PendingChange<State, E>).from.state }],
      ),
    );
    return answers;
  }

  /**
   * The events have the time of the decision, so the rows of the view are known before the append and its statement saves
   * them: one round trip, no explicit transaction. A view that is saved by code needs a transaction.
   */
  private async commit(
    id: string,
    from: Loaded<State>,
    expected: Expectation,
    decided: readonly E[],
    context: ChangeContext<State>,
    held?: HeldRow,
  ): Promise<Changed<State, E>> {
    if (decided.length === 0) return this.changed(id, from, []);
    const at = from.now;
    const append = this.store.prepare({ ...this.request(id, from, expected, decided, context), at, held });
    const events = append.events.map((event) => ({ ...event, at }));
    const state = fold(this.aggregate, from.state, events);
    const row = { id, state, version: from.version + decided.length, at };
    const { database, store, view } = this;
    const change = { id, before: from.state, state, events: decided };
    const isFollowed = this.followUp?.concerns(change) ?? false;
    if (view instanceof TableView && !isFollowed)
      return { ...row, events: await store.appendPrepared(database, append, { view, row }) };
    return database.transaction(async (transaction) => {
      const saved = view instanceof TableView ? { view, row } : undefined;
      const stored = await store.appendPrepared(transaction, append, saved);
      if (!saved) await view?.save(transaction, [row]);
      await this.follow([change]);
      return { ...row, events: stored };
    });
  }

  private async follow(changes: readonly StreamChange<State, E>[]): Promise<void> {
    const { followUp } = this;
    const concerned = followUp ? changes.filter((change) => followUp.concerns(change)) : [];
    if (concerned.length > 0) await followUp?.run(concerned);
  }

  private request(
    stream: string,
    { state }: Loaded<State>,
    expected: Expectation,
    events: readonly E[],
    context: ChangeContext<State>,
  ) {
    const metadata = typeof context === 'function' ? context(state) : context;
    return { stream, streamType: this.aggregate.streamType, expected, events, metadata };
  }

  private changed(id: string, from: Loaded<State>, events: readonly RecordedEvent<E>[]): Changed<State, E> {
    const last = events.at(-1);
    const state = fold(this.aggregate, from.state, events);
    return { id, state, version: last?.version ?? from.version, at: last?.at ?? from.at, events };
  }

  private folded({ events, version, now }: StreamContents<E>): Loaded<State> {
    const last = events.at(-1);
    if (!last || !this.isOwnType(events)) throw new StreamNotFound(this.aggregate.streamType);
    return { state: fold(this.aggregate, this.aggregate.initial, events), version, at: last.at, now };
  }

  private isOwnType(events: readonly RecordedEvent[]): boolean {
    return events[0]?.streamType === this.aggregate.streamType;
  }

  private needsNewTransaction(conflict: StreamHasMoved): boolean {
    return conflict.reason === 'order' && this.database.isInTransaction;
  }
}
