import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { USAGE_COLUMNS, USAGE_NAMES, type Usage } from '../spend/quantities.js';
import type { NanoDollars } from '../spend/spend-ledger.js';
import { groupsOf, reportOf } from './report.sql.js';
import { levelOf, rangesOf, type UsageQuery } from './usage-query.js';

/** Sums of attempts. Counts are exact up to 2^53. */
export interface UsageSums extends Usage {
  /** Requests of callers; a request counts where its first attempt does. */
  readonly calls: number;
  /** At providers. */
  readonly attempts: number;
  readonly failed: number;
  readonly unknown: number;
  readonly estimated: number;
  /** Whose model had no price. */
  readonly unpriced: number;
  /** Of which nothing was sent; not in `attempts`. */
  readonly released: number;
  readonly cost: NanoDollars;
  /** Estimates of attempts whose cost is not known; not in `cost`. */
  readonly uncertainCost: NanoDollars;
}

export interface UsageGroup extends UsageSums {
  /** In the order of `groupBy`; empty where attempts have none. */
  readonly keys: readonly string[];
  /** Slug of the application, where grouped by it. */
  readonly application: string | null;
}

export interface ReportPage {
  readonly groups: readonly UsageGroup[];
  readonly totals: UsageSums;
}

/** What a report depends on besides its query. */
export interface ReportMoment {
  /** The day by the database's clock, UTC. */
  readonly today: string;
  /** Position of the rollups. */
  readonly countedBefore: string;
}

type Row = Record<string, string> & { keys: string[] | null; application: string | null };

/** Groups that are in memory at one time. */
const AT_ONCE = 1_000;
const NO_DAYS = { from: '9999-01-01', to: '0001-01-01' };

const MOMENT = statement(
  'gateway_usage_moment',
  `SELECT (now() AT TIME ZONE 'UTC')::date::text AS today, counted_before::text AS "countedBefore"
   FROM gateway.usage_sum_state`,
);

/** Usage of a period. What is settled before the statement begins is counted. */
@Injectable()
export class UsageReport {
  constructor(private readonly database: Database) {}

  async moment(): Promise<ReportMoment> {
    const [row] = await this.database.query<ReportMoment>(MOMENT);
    return row as ReportMoment;
  }

  /** @param after keys of the last group of the page before */
  async page(
    query: UsageQuery,
    moment: ReportMoment,
    after: readonly string[] | null,
    count: number,
  ): Promise<ReportPage> {
    const values = [...valuesOf(query, moment), after, count];
    const rows = await this.database.query<Row>(reportOf(query.groupBy), values);
    const groups = rows.filter(({ keys }) => keys !== null);
    const totals = rows.find(({ keys }) => keys === null);
    return { groups: groups.map(groupOf), totals: sumsOfRow(totals ?? ({} as Row)) };
  }

  /**
   * Reads all groups as one snapshot has them, in the order of their keys. They are added up once; a transaction is open until the last
   * ones are taken, and the server ends it when taking some lasts for 30 s. @param take the next ones; its error ends the reading
   */
  async each(
    query: UsageQuery,
    moment: ReportMoment,
    take: (groups: readonly UsageGroup[]) => Promise<void>,
  ): Promise<void> {
    await this.database.separateTransaction(async (transaction) => {
      // All rows are read, so that a plan for the first ones is the wrong one.
      await transaction.query('SET LOCAL cursor_tuple_fraction = 1');
      await transaction.query(
        `DECLARE usage_groups NO SCROLL CURSOR FOR ${groupsOf(query.groupBy)}`,
        valuesOf(query, moment),
      );
      for (let count = AT_ONCE; count === AT_ONCE;) {
        const rows = await transaction.query<Row>(`FETCH ${AT_ONCE} FROM usage_groups`);
        count = rows.length;
        await take(rows.map(groupOf));
      }
    });
  }
}

/** In the order of `groupedBy`. */
function valuesOf(query: UsageQuery, { today, countedBefore }: ReportMoment): unknown[] {
  const { filters } = query;
  const { months, days } = rangesOf(query, today);
  const [before = NO_DAYS, behind = NO_DAYS] = days;
  const [provider, model] = partsOf(filters.model);
  return [
    levelOf(query),
    ...[months ?? NO_DAYS, before, behind].flatMap(({ from, to }) => [from, to]),
    filters.organizationIds,
    filters.applicationId ?? null,
    filters.userId ?? null,
    filters.capability ?? null,
    provider ?? filters.provider ?? null,
    model,
    filters.credentialId ?? null,
    query.from,
    query.to,
    countedBefore,
  ];
}

/** Of `provider/model`; the model can contain slashes. */
function partsOf(reference: string | undefined): [provider: string | null, model: string | null] {
  if (reference === undefined) return [null, null];
  const slash = reference.indexOf('/');
  return [reference.slice(0, slash), reference.slice(slash + 1)];
}

const groupOf = (row: Row): UsageGroup => ({
  keys: row.keys ?? [],
  application: row.application,
  ...sumsOfRow(row),
});

const sumsOfRow = (row: Row): UsageSums => ({
  calls: Number(row.calls),
  attempts: Number(row.attempts),
  failed: Number(row.failed),
  unknown: Number(row.unknown),
  estimated: Number(row.estimated),
  unpriced: Number(row.unpriced),
  released: Number(row.released),
  cost: BigInt(row.cost ?? 0),
  uncertainCost: BigInt(row.uncertain_cost ?? 0),
  ...(Object.fromEntries(
    USAGE_NAMES.map((name) => [name, Number(row[USAGE_COLUMNS[name]])]),
  ) as unknown as Usage),
  audioSeconds: Number(row.audio_milliseconds) / 1_000,
});
