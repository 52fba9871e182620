import { Client, type ClientConfig, type QueryConfig } from 'pg';
import { ResponseIsOverdue, isReadTimeout } from './overdue.js';
import { type Prefix, PrefixedQuery } from './prefixed-query.js';
import { currentTimeLimit, type TimeLimit } from './time-limit.js';
import { MAX_STATEMENT_NAME } from './statement.js';

export interface SessionRules {
  /** Milliseconds; 0 is no limit. */
  readonly timeLimits: Readonly<Record<TimeLimit, number>>;
  /** false: statements are never named, for poolers that cannot follow a name from one session to the next. */
  readonly namedStatements: boolean;
  /** Behind a pooler: additional wait for the result after the time limit of a statement, in milliseconds. */
  readonly answerMarginMs: number;
}

type Given = QueryConfig & { timeLimit?: TimeLimit; query_timeout?: number };
type Callback = (error: Error | undefined, result: unknown) => void;

/** A transaction left open for longer is cut by the server: it would hold every reader of the event log back. */
const IDLE_IN_TRANSACTION_MS = 30_000;
const FIRST_ANSWER_WITHIN_MS = 10_000;

const BEGINS = /^\s*(BEGIN|START TRANSACTION)\b[^;]*$/i;
const COMMITS = /^\s*(COMMIT|END)\b/i;
const ENDS = /^\s*(COMMIT|ROLLBACK|END|ABORT)\b/i;

/**
 * Settings are stored in the session only where the session is this client's alone: where the server's process is the one
 * that was announced. A pooler announces an identity of its own; asking and setting in one statement leaves its sessions
 * as they are.
 */
const SET_WHERE_DIRECT = `
  SELECT pg_backend_pid() = $1::int AS direct, CASE WHEN pg_backend_pid() = $1::int THEN
    set_config('statement_timeout', $2, false) ||
    set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', false) END`;

/**
 * A connection whose statements have time limits. Directly connected they are the session's; behind a pooler they are set
 * for each transaction, and for each statement outside of one, without a further round trip. A transaction begins in the round trip
 * of its first statement; one without statements is not sent. While the server is away a pooler
 * keeps statements in a queue of its own, where no limit of the server counts: there this client stops waiting by itself.
 */
export class LimitedClient extends Client {
  private readonly rules: SessionRules;
  private isPooled = false;
  private transactionLimit: TimeLimit = 'request';
  /** The beginning of a transaction, to be sent with its first statement. */
  private unsent: string[] = [];
  /** The end of a transaction, to be sent with its COMMIT. */
  private last: Prefix[] = [];

  constructor(options: ClientConfig & { rules: SessionRules }) {
    super(options);
    this.rules = options.rules;
  }

  /** Before the first use of a new connection. @throws the driver's errors */
  async prepareSession(): Promise<void> {
    const { request } = this.rules.timeLimits;
    const config = {
      text: SET_WHERE_DIRECT,
      values: [this.processID, String(request)],
      query_timeout: FIRST_ANSWER_WITHIN_MS,
    };
    const { rows } = await super.query<{ direct: boolean }>(config);
    this.isPooled = rows[0]?.direct !== true;
  }

  /** For the transaction that runs. */
  async limitTransaction(limit: TimeLimit): Promise<void> {
    this.transactionLimit = limit;
    const setting = timeoutOf(this.rules.timeLimits[limit]);
    if (this.unsent.length > 0) this.unsent.push(setting);
    else await (this.send([setting]) as Promise<unknown>);
  }

  /** Adds a statement to the round trip of the COMMIT, which its error refuses. */
  beforeCommit(statement: Prefix): void {
    this.last.push(statement);
  }

  /** @throws RangeError for a name that the server would cut: it could equal the name of another statement */
  override query(...given: unknown[]): never {
    const { name } = (given[0] ?? {}) as Partial<Given>;
    if (name !== undefined && name.length > MAX_STATEMENT_NAME) {
      throw new RangeError(`The name of a statement is too long. Make it by statement(): ${name}`);
    }
    return this.send(given) as never;
  }

  private send(given: unknown[]): unknown {
    const [first] = given;
    if (isSubmittable(first)) return this.submit(given);
    const { config, values, callback } = callOf(given);
    if (this.isDeferred(config.text)) return answered(callback);
    const needsNothing = !this.isPooled && this.rules.namedStatements && !hasTimeLimit(first);
    if (needsNothing && this.unsent.length + this.last.length === 0)
      return super.query(...(given as [string]));
    const { timeLimit = 'request', name, ...unnamed } = config;
    const query = this.rules.namedStatements && name !== undefined ? { ...unnamed, name } : unnamed;
    return callback
      ? this.sendLimited(query, values, timeLimit, callback)
      : new Promise((resolve, reject) =>
          this.sendLimited(query, values, timeLimit, (error, result) =>
            error ? reject(error) : resolve(result),
          ),
        );
  }

  /** Whether nothing is sent: a transaction that begins, or one that ends without statements. */
  private isDeferred(text: string): boolean {
    if (BEGINS.test(text)) {
      this.transactionLimit = currentTimeLimit();
      const limits = this.isPooled ? [settingsOf(this.rules.timeLimits[this.transactionLimit])] : [];
      this.unsent = [text, ...limits];
      return true;
    }
    if (ENDS.test(text) && !COMMITS.test(text)) this.last = [];
    const isEmpty = this.unsent.length > 0 && this.last.length === 0 && ENDS.test(text);
    if (isEmpty) this.unsent = [];
    return isEmpty;
  }

  /** Streams of COPY have a protocol of their own, so the transaction begins in a round trip before. */
  private submit(given: unknown[]): unknown {
    // If it fails the connection is lost, and the stream fails too.
    if (this.unsent.length > 0) super.query(this.unsent.splice(0).join('; '), () => undefined);
    return super.query(...(given as [string]));
  }

  private sendLimited(given: Given, values: unknown[] | undefined, limit: TimeLimit, answer: Callback): void {
    const bound = this.boundOf(given, limit);
    const query = bound === undefined ? given : { ...given, query_timeout: bound };
    const callback = bound === undefined ? answer : this.endingWhenOverdue(answer);
    const prefixes = this.prefixesOf(query, limit);
    if (prefixes.length > 0) super.query(new PrefixedQuery(query, values, prefixes, callback));
    else super.query(query as never, values as unknown[], callback);
  }

  /** Milliseconds to wait for a result; undefined: no limit, or the caller's. */
  private boundOf({ query_timeout }: Given, limit: TimeLimit): number | undefined {
    if (!this.isPooled || query_timeout !== undefined) return undefined;
    const isAlone = this.unsent.length === 0 && this.getTransactionStatus() === 'I';
    const milliseconds = this.rules.timeLimits[isAlone ? limit : this.transactionLimit];
    return milliseconds > 0 ? milliseconds + this.rules.answerMarginMs : undefined;
  }

  /** The result may still arrive, so this connection must not be reused: the pool removes an ended client. */
  private endingWhenOverdue(answer: Callback): Callback {
    return (error, result) => {
      if (!isReadTimeout(error)) return answer(error, result);
      void this.end();
      answer(new ResponseIsOverdue(error), undefined);
    };
  }

  /** The beginning and the end of the transaction, or the limit of a statement outside of one. */
  private prefixesOf({ text }: Given, limit: TimeLimit): Prefix[] {
    const first = this.unsent.splice(0).map((sql) => ({ text: sql }));
    if (ENDS.test(text)) return [...first, ...this.last.splice(0)];
    if (first.length > 0 || this.getTransactionStatus() !== 'I') return first;
    const { timeLimits } = this.rules;
    const isSet = this.isPooled ? timeLimits[limit] > 0 : timeLimits[limit] !== timeLimits.request;
    return isSet ? [{ text: timeoutOf(timeLimits[limit]) }] : [];
  }
}

/** Until the transaction ends. */
const timeoutOf = (milliseconds: number) => `SELECT set_config('statement_timeout', '${milliseconds}', true)`;

const settingsOf = (milliseconds: number) =>
  `${timeoutOf(milliseconds)}, set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', true)`;

/** As pg answers a statement without rows. */
function answered(callback: Callback | undefined): unknown {
  const result = { rows: [], rowCount: null, fields: [] };
  if (!callback) return Promise.resolve(result);
  return queueMicrotask(() => callback(undefined, result));
}

const isSubmittable = (query: unknown): boolean =>
  typeof (query as { submit?: unknown } | null)?.submit === 'function';

const hasTimeLimit = (query: unknown): boolean =>
  (query as Partial<Given> | null)?.timeLimit !== undefined &&
  (query as Partial<Given>).timeLimit !== 'request';

/** (text or config, callback), or (text or config, values, callback), each without a callback too. */
function callOf([first, second, third]: unknown[]) {
  const config = typeof first === 'string' ? { text: first } : (first as Given);
  const callback = typeof second === 'function' ? second : third;
  const values = typeof second === 'function' ? undefined : second;
  return { config, values: values as unknown[] | undefined, callback: callback as Callback | undefined };
}
