import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation } from '#libs/database';
import {
  ALARMS,
  DELETE,
  FIND,
  INSERT,
  LIST,
  LIST_OF_ALL,
  LIST_OF_PLATFORM,
  TAKE_TURNS,
  UPDATE,
} from './limits.sql.js';
import { SpendCounters } from '../ledger/spend-counters.js';
import { SpendLimitExists, TooManySpendLimits } from './limits.errors.js';
import type { NewSpendLimit, SoftLimitAlarm, SpendAmounts, SpendLimit } from '../spend/spend-limit.js';

type Amount = 'hard' | 'soft' | 'spent' | 'reserved';
type Row = Omit<SpendLimit, Amount> &
  Record<'spent' | 'reserved', string> &
  Record<'hard' | 'soft', string | null>;

type AlarmRow = Omit<SoftLimitAlarm, Amount> & Record<'soft' | 'spent', string>;

/** That an organization sets, applications in it included, or the platform, its limits of organizations apart. The widget shows all. */
const MOST_LIMITS = 100;

/** Limits of spend. Calls join the running transaction. */
@Injectable()
export class LimitsStore {
  constructor(
    private readonly database: Database,
    private readonly counters: SpendCounters,
  ) {}

  /**
   * The limit counts what was spent in its window before.
   * @returns the id @throws SpendLimitExists, TooManySpendLimits
   */
  async create(limit: NewSpendLimit, by: string): Promise<string> {
    const { scopeType, scopeValue, organizationId, setBy, period, hard, soft } = limit;
    const id = randomUUIDv7();
    const setting = setBy === 'platform' ? null : organizationId;
    // The platform limits any number of organizations.
    const most = setBy === 'platform' && scopeType === 'organization' ? null : MOST_LIMITS;
    const values = [id, scopeType, scopeValue, setting, period, hard, soft, by, most];
    try {
      await this.database.transaction(async (transaction) => {
        await transaction.query(TAKE_TURNS, [setting]);
        const [added] = await transaction.query<{ scope: string }>(INSERT, values);
        if (!added) throw new TooManySpendLimits(MOST_LIMITS);
        await this.counters.begin(added.scope, period);
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new SpendLimitExists(limit, period) : error;
    }
    return id;
  }

  /** @returns false if the limit has another version, or does not exist */
  async update(id: string, version: number, { hard, soft }: SpendAmounts): Promise<boolean> {
    return (await this.database.query(UPDATE, [id, version, hard, soft])).length > 0;
  }

  /** @returns false if the limit has another version, or does not exist */
  async delete(id: string, version: number): Promise<boolean> {
    return (await this.database.query(DELETE, [id, version])).length > 0;
  }

  /** What an organization sees, or for null all that the platform set. In the order of ids. */
  list(
    organizationId: string | null,
    after: string | null = null,
    count: number | null = null,
  ): Promise<SpendLimit[]> {
    return this.read(LIST, [organizationId, after, count]);
  }

  /** What one of the organizations sees. */
  listOfAll(organizationIds: readonly string[]): Promise<SpendLimit[]> {
    return this.read(LIST_OF_ALL, [organizationIds]);
  }

  /** What the platform set. @param organizationId the limits of organizations are only of this one; null: there are none of them */
  listOfPlatform(organizationId: string | null): Promise<SpendLimit[]> {
    return this.read(LIST_OF_PLATFORM, [organizationId]);
  }

  /**
   * Soft limits that were reached in windows that overlap with the days, newest first.
   * @param organizationIds null: of all limits @param count maximum number
   */
  async alarms(
    organizationIds: readonly string[] | null,
    { from, to }: { readonly from: string; readonly to: string },
    count: number,
  ): Promise<SoftLimitAlarm[]> {
    const rows = await this.database.query<AlarmRow>(ALARMS, [organizationIds, from, to, count]);
    return rows.map(({ soft, spent, ...row }) => ({ ...row, soft: BigInt(soft), spent: BigInt(spent) }));
  }

  async find(id: string): Promise<SpendLimit | null> {
    const [limit] = await this.read(FIND, [id]);
    return limit ?? null;
  }

  private async read(sql: string, values: readonly unknown[]): Promise<SpendLimit[]> {
    return (await this.database.query<Row>(sql, values)).map(limitOf);
  }
}

const limitOf = ({ hard, soft, spent, reserved, ...row }: Row): SpendLimit => ({
  ...row,
  hard: hard === null ? null : BigInt(hard),
  soft: soft === null ? null : BigInt(soft),
  spent: BigInt(spent),
  reserved: BigInt(reserved),
});
