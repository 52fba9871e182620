import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { BatchWriter } from '#libs/concurrency';
import { Database, isTransient, isUniqueViolation, repeated, WAITS_MS } from '#libs/database';
import { SpendMetrics } from '../spend/spend.metrics.js';
import {
  type LimitWindow,
  ModelHasNoPrice,
  SpendEstimateIsTooLarge,
  SpendLimitIsReached,
} from '../spend/spend.errors.js';
import {
  PlanHasChanged,
  type Doubt,
  type PlannedAttempt,
  type SettledAttempt,
  SpendLedger,
} from '../spend/spend-ledger.js';
import {
  released,
  type Reservation,
  reservationRows,
  type Settlement,
  settlementRows,
} from './attempt-rows.js';
import { RESERVE, STORED } from './reserve.sql.js';
import { partsOf } from '../spend/spend-limit.js';
import { SpendCounters } from './spend-counters.js';
import { SETTLE } from './settle.sql.js';

/** `counterless`: the window of a limit has no counter yet. `changed`: the plan or the credential is. */
type Reason = 'reached' | 'large' | 'unpriced' | 'counterless' | 'changed';

interface Verdict {
  readonly id: string;
  /** null: granted. */
  readonly reason: Reason | null;
  readonly scope: string;
  readonly period: LimitWindow['period'];
  readonly resetsAt: Date;
  readonly resetsInSeconds: number;
  /** Why it could not be reserved again with its counters. */
  readonly failure?: unknown;
}

/** A caller waits for its reservation. A statement for 16 takes half as long again as one for a single reservation, so that they are shared. */
export const RESERVATIONS = { maxBatch: 32, concurrency: 2, linger: 0, failsTogether: isTransient };
/** No caller waits for a settlement. */
const SETTLEMENTS = { maxBatch: 256, concurrency: 1, linger: 10, failsTogether: isTransient };
/** A caller waits for a reservation before its call. */
const TIME_LIMIT_MS = 5_000;
/** Longer than the default of DATABASE_STATEMENT_TIMEOUT_MS: the server goes on when this process waits no longer. */
const STATEMENTS_END_MS = 20_000;
const RESERVE_TRIES = 3;
/** A window can end after its counter was added. */
const COUNTER_TRIES = 3;

/**
 * The ledger in PostgreSQL. Statements are outside of transactions, and repeated when their answer is lost: ids are made here, so
 * that a repetition finds what was stored.
 */
@Injectable()
export class StoredSpendLedger extends SpendLedger {
  private readonly logger = new Logger(StoredSpendLedger.name);
  private readonly reservations = new BatchWriter<Reservation, Verdict | undefined>(
    (batch) => this.reserveAll(batch),
    RESERVATIONS,
  );
  private readonly settlements = new BatchWriter<Settlement, void>(
    (batch) => this.settleAll(batch),
    SETTLEMENTS,
  );

  constructor(
    private readonly database: Database,
    private readonly metrics: SpendMetrics,
    private readonly counters: SpendCounters,
  ) {
    super();
  }

  async reserve(planned: PlannedAttempt): Promise<string> {
    const id = randomUUIDv7();
    const verdict = await this.reservations.add({ id, planned });
    if (verdict?.reason === 'changed') throw new PlanHasChanged();
    if (verdict?.reason === 'counterless') throw verdict.failure;
    if (verdict?.reason) {
      const { scopeType: scope_type } = partsOf(verdict.scope);
      this.metrics.refusals.inc({ reason: verdict.reason, scope_type, period: verdict.period });
      throw refusal(verdict, planned);
    }
    if (planned.estimate === null) this.metrics.unpriced.inc({ provider: planned.provider });
    return id;
  }

  settle(usageId: string, settled: SettledAttempt): Promise<void> {
    if (settled.doubt) {
      this.metrics.doubts.inc({ doubt: settled.doubt });
      this.logger.error({ usageId, doubt: settled.doubt, model: settled.model }, DOUBTED[settled.doubt]);
    }
    return this.settlements.add({ ...settled, id: usageId });
  }

  release(usageId: string, failure: string | null): Promise<void> {
    return this.settlements.add(released(usageId, failure));
  }

  private async reserveAll(batch: readonly Reservation[]): Promise<(Verdict | undefined)[]> {
    const verdicts = new Map<string, Verdict>();
    let left = batch;
    for (let tries = 0; left.length > 0; tries += 1) {
      try {
        const given = await this.reserveRepeatedly(left, tries > 0);
        // Of an attempt that is stored already no verdict is given: the one before does not count any more.
        for (const { id } of left) verdicts.delete(id);
        for (const verdict of given) verdicts.set(verdict.id, verdict);
        left = left.filter(({ id }) => verdicts.get(id)?.reason === 'counterless');
        await this.addCounters(left, tries);
      } catch (failure) {
        if (verdicts.size === 0) throw failure;
        // Other attempts are granted nevertheless.
        for (const { id } of left) verdicts.set(id, { ...(verdicts.get(id) as Verdict), failure });
        this.abandon(left);
        break;
      }
    }
    return batch.map(({ id }) => verdicts.get(id));
  }

  /**
   * @param wasSent whether statements for them may still be running
   * @returns no verdict for attempts that were stored by a statement whose answer was lost: it granted them
   */
  private async reserveRepeatedly(batch: readonly Reservation[], wasSent: boolean): Promise<Verdict[]> {
    for (let tries = 1; ; tries += 1) {
      const isFirst = tries === 1 && !wasSent;
      try {
        const left = isFirst ? batch : await this.withoutStored(batch);
        const verdicts = await this.executor.query<Verdict>(RESERVE, [reservationRows(left)]);
        if (!isFirst) this.abandon(verdicts.filter(isRefused));
        return verdicts;
      } catch (error) {
        // The statement whose answer was lost can still be running: then its rows appear while this one runs.
        const canRepeat = isTransient(error) || (!isFirst && isUniqueViolation(error));
        if (!canRepeat || tries >= RESERVE_TRIES) {
          if (canRepeat) this.abandon(batch);
          throw error;
        }
        await wait(WAITS_MS.brief[tries - 1]);
      }
    }
  }

  private async withoutStored(batch: readonly Reservation[]): Promise<Reservation[]> {
    const rows = await this.executor.query<{ id: string }>(STORED, [batch.map(({ id }) => id)]);
    const stored = new Set(rows.map(({ id }) => id));
    return batch.filter(({ id }) => !stored.has(id));
  }

  /**
   * Callers are told that the reservation failed, so nothing is called; it may be stored nevertheless, also by the statement whose answer
   * was lost when the repetition refuses it. That statement may still run, so it is released again when it has ended.
   */
  private abandon(batch: readonly Pick<Reservation, 'id'>[]): void {
    if (batch.length === 0) return;
    const release = () => {
      for (const { id } of batch)
        this.release(id, 'not-sent').catch((error: unknown) =>
          this.logger.warn(error, 'A reservation without a call could not be released. A sweep settles it.'),
        );
    };
    release();
    setTimeout(release, STATEMENTS_END_MS).unref();
  }

  private async addCounters(batch: readonly Reservation[], tries: number): Promise<void> {
    if (batch.length === 0) return;
    if (tries >= COUNTER_TRIES) throw new Error('Counters of spend limits could not be added.');
    await this.counters.addFor(batch.map(({ planned }) => planned.attribution));
  }

  private async settleAll(batch: readonly Settlement[]): Promise<undefined[]> {
    const rows = settlementRows(batch);
    await repeated(() => this.executor.query(SETTLE, [rows]), WAITS_MS.long);
    return batch.map(() => undefined);
  }

  private get executor() {
    return this.database.within(TIME_LIMIT_MS);
  }
}

const DOUBTED: Readonly<Record<Doubt, string>> = {
  implausible:
    'A provider counted more than its model can consume. The estimate counts. Correct the attempt.',
  uncosted:
    'A provider counted in a unit that the price list of its model lacks. The estimate counts. Set its price.',
};

/** Without a counter it is asked for once more. */
const isRefused = ({ reason }: Verdict): boolean => reason !== null && reason !== 'counterless';

function refusal(verdict: Verdict, planned: PlannedAttempt): Error {
  const { reason, scope, period, resetsAt, resetsInSeconds } = verdict;
  const { scopeType, setBy } = partsOf(scope);
  const window = { scopeType, setBy, period, resetsAt, resetsInSeconds };
  if (reason === 'unpriced') return new ModelHasNoPrice(`${planned.provider}/${planned.model}`, window);
  return reason === 'large' ? new SpendEstimateIsTooLarge(window) : new SpendLimitIsReached(window);
}
