import type { ClientConfig, QueryConfig } from 'pg';
import { Client } from 'pg';
import { LimitedQuery } from './limited-query.js';
import { ResponseIsOverdue, isReadTimeout } from './overdue.js';
import { currentTimeLimit } from './time-limit.js';
import type { TimeLimit } from './time-limit.js';
import { MAX_STATEMENT_NAME } from '../statement.js';

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

const BEGINS = /^\s*(BEGIN|START TRANSACTION)\b/i;
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
 * for each transaction, and for each statement outside of one, without a further round trip. While the server is away a pooler
 * keeps statements in a queue of its own, where no limit of the server counts: there this client stops waiting by itself.
 */
export class LimitedClient extends Client {
  private readonly rules: SessionRules;
  private isPooled = false;
  private transactionLimit: TimeLimit = 'request';

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
    await (this.send([`SET LOCAL statement_timeout = ${this.rules.timeLimits[limit]}`]) as Promise<unknown>);
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
    const needsNothing = !this.isPooled && this.rules.namedStatements && !hasTimeLimit(first);
    if (needsNothing || isSubmittable(first)) return super.query(...(given as [string]));
    const { config, values, callback } = callOf(given);
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

  private sendLimited(given: Given, values: unknown[] | undefined, limit: TimeLimit, answer: Callback): void {
    const bound = this.boundOf(given, limit);
    const query = bound === undefined ? given : { ...given, query_timeout: bound };
    const callback = bound === undefined ? answer : this.endingWhenOverdue(answer);
    const milliseconds = this.rules.timeLimits[limit];
    if (this.setsLimitOf(query, limit)) {
      super.query(new LimitedQuery(query, values, milliseconds, callback));
    } else {
      const begins = this.isPooled && BEGINS.test(query.text);
      const text = begins ? `${query.text}; ${settingsOf(milliseconds)}` : query.text;
      super.query({ ...query, text } as never, values as unknown[], callback);
    }
  }

  /** Milliseconds to wait for a result; undefined: no limit, or the caller's. */
  private boundOf({ text, query_timeout }: Given, limit: TimeLimit): number | undefined {
    if (!this.isPooled || query_timeout !== undefined) return undefined;
    const begins = BEGINS.test(text);
    if (begins) this.transactionLimit = currentTimeLimit();
    const isAlone = !begins && this.getTransactionStatus() === 'I';
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

  /** Not inside a transaction, which has its limit from its beginning. */
  private setsLimitOf({ text }: Given, limit: TimeLimit): boolean {
    if (this.getTransactionStatus() !== 'I' || BEGINS.test(text) || ENDS.test(text)) return false;
    const { timeLimits } = this.rules;
    return this.isPooled ? timeLimits[limit] > 0 : timeLimits[limit] !== timeLimits.request;
  }
}

const settingsOf = (milliseconds: number) =>
  `SET LOCAL statement_timeout = ${milliseconds}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

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
