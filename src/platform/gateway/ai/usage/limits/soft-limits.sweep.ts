import { Injectable } from '@nestjs/common';
import { Database, type Executor } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { GatewayAudit, SYSTEM } from '../../../audit/gateway-audit.js';
import { windowOf } from '../spend/spend-scopes.sql.js';
import { scopeColumns } from '../limits/limits.sql.js';
import { auditsOf, type Period, type SpendScope } from '../spend/spend-limit.js';
import { dollarsOf } from '../spend/money.js';
import { SpendMetrics } from '../spend/spend.metrics.js';

const EVERY_MS = 10_000;

interface Reached extends SpendScope {
  readonly id: string;
  readonly period: Period;
  readonly startsOn: string;
  readonly soft: string;
  readonly spent: string;
}

/**
 * Marks windows whose spend has reached the soft limit. The row lock makes replicas agree, and the mark is checked after it. A window
 * that ended within the last hour is included: its last calls can reach the limit after the last pass.
 */
const MARK = `
  WITH due AS MATERIALIZED (
    SELECT c.scope, c.period, c.starts_on FROM gateway.spend_counter c JOIN gateway.spend_limit l USING (scope, period)
    WHERE c.alarmed_at IS NULL AND c.spent >= l.soft AND c.starts_on >= ${windowOf('l.period', `(now() - interval '1 hour')`)}
    ORDER BY c.scope, c.period, c.starts_on FOR UPDATE OF c
  )
  UPDATE gateway.spend_counter c SET alarmed_at = now()
  FROM due d JOIN gateway.spend_limit l USING (scope, period)
  WHERE c.scope = d.scope AND c.period = d.period AND c.starts_on = d.starts_on
  RETURNING l.id, ${scopeColumns('l')}, l.period, c.starts_on::text AS "startsOn", l.soft, c.spent`;

/** Raises the alarm of a soft limit once in each window, over all replicas: an entry of the audit, a log line, a metric. */
@Injectable()
export class SoftLimitsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
    private readonly metrics: SpendMetrics,
  ) {
    super(EVERY_MS);
  }

  /** @returns the number of alarms */
  async sweep(): Promise<number> {
    const reached = await this.database.separateTransaction(async (transaction) => {
      const rows = await transaction.query<Reached>(MARK);
      for (const limit of rows) await this.record(transaction, limit);
      return rows;
    });
    for (const { soft, spent, ...rest } of reached) {
      const amounts = { soft: dollarsOf(BigInt(soft)), spent: dollarsOf(BigInt(spent)) };
      this.logger.error({ ...rest, ...amounts }, 'A soft limit of spend is reached.');
      this.metrics.alarms.inc({ scope_type: rest.scopeType, period: rest.period });
    }
    return reached.length;
  }

  private async record(executor: Executor, limit: Reached): Promise<void> {
    const { id, scopeType, scopeValue, setBy, period, startsOn, soft, spent } = limit;
    const amounts = { soft: dollarsOf(BigInt(soft)), spent: dollarsOf(BigInt(spent)) };
    for (const organizationId of auditsOf(limit))
      await this.audit.record(executor, {
        action: 'spend_soft_limit_reached',
        actor: SYSTEM,
        organizationId,
        target: { type: 'spend_limit', id },
        details: { scopeType, scopeValue, setBy, period, startsOn, ...amounts },
      });
  }
}
