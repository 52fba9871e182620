import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation } from '#libs/database';
import { ALARMS, countOf, DELETE, INSERT, LOCK_COUNTERS, POSITION, SELECT, UPDATE } from './limits.sql.js';
import { SpendLimitExists, TooManySpendLimits } from './limits.errors.js';
import type { NewSpendLimit, SoftLimitAlarm, SpendAmounts, SpendLimit } from './spend-limit.js';

type Amount = 'hard' | 'soft' | 'spent' | 'reserved';
type Row = Omit<SpendLimit, Amount> &
  Record<'spent' | 'reserved', string> &
  Record<'hard' | 'soft', string | null>;

type AlarmRow = Omit<SoftLimitAlarm, Amount> & Record<'soft' | 'spent', string>;

/** Of an organization, applications in it included, and of the platform. Lists and the widget show all. */
const MOST_LIMITS = 100;

/** Limits of spend. Calls join the running transaction. */
@Injectable()
export class LimitsStore {
  constructor(private readonly database: Database) {}

  /**
   * The limit counts what was spent in its window before. Calls of all organizations wait until the transaction ends.
   * @returns the id @throws SpendLimitExists, TooManySpendLimits
   */
  async create(limit: NewSpendLimit, by: string): Promise<string> {
    const { scopeType, scopeValue, organizationId, period, hard, soft } = limit;
    const id = randomUUIDv7();
    const values = [id, scopeType, scopeValue, organizationId, period, hard, soft, by, MOST_LIMITS];
    try {
      await this.database.transaction(async (transaction) => {
        await transaction.query(LOCK_COUNTERS);
        const [added] = await transaction.query<{ scope: string; startsOn: string }>(INSERT, values);
        if (!added) throw new TooManySpendLimits(MOST_LIMITS);
        const [rollups] = await transaction.query<{ position: string }>(POSITION);
        const { text, values: ofScope } = countOf(limit);
        const window = [added.scope, period, added.startsOn, rollups?.position];
        await transaction.query(text, [...window, ...ofScope]);
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new SpendLimitExists(scopeType, period) : error;
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

  /** Of an organization, or for null of the platform and of applications in all organizations. In the order of ids. */
  async list(
    organizationId: string | null,
    after: string | null = null,
    count: number | null = null,
  ): Promise<SpendLimit[]> {
    const rows = await this.database.query<Row>(
      `${SELECT} WHERE l.organization_id IS NOT DISTINCT FROM $1 AND ($2::uuid IS NULL OR l.id > $2) ORDER BY l.id LIMIT $3`,
      [organizationId, after, count],
    );
    return rows.map(limitOf);
  }

  /** Of the organizations, and of applications in them. */
  async listOfAll(organizationIds: readonly string[]): Promise<SpendLimit[]> {
    const rows = await this.database.query<Row>(
      `${SELECT} WHERE l.organization_id = ANY ($1::uuid[]) ORDER BY l.id`,
      [organizationIds],
    );
    return rows.map(limitOf);
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
    const [row] = await this.database.query<Row>(`${SELECT} WHERE l.id = $1`, [id]);
    return row ? limitOf(row) : null;
  }
}

const limitOf = ({ hard, soft, spent, reserved, ...row }: Row): SpendLimit => ({
  ...row,
  hard: hard === null ? null : BigInt(hard),
  soft: soft === null ? null : BigInt(soft),
  spent: BigInt(spent),
  reserved: BigInt(reserved),
});
