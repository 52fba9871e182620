import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { GatewayAudit, SYSTEM } from '../../audit/gateway-audit.js';
import { windowOf } from '../ledger/spend-scopes.sql.js';
import type { Period, ScopeType } from '../limits/spend-limit.js';
import { dollarsOf } from '../money.js';
import { SpendMetrics } from '../spend.metrics.js';

const EVERY_MS = 10_000;

interface Reached {
  readonly id: string;
  readonly scopeType: ScopeType;
  readonly scopeValue: string;
  readonly organizationId: string | null;
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
  RETURNING l.id, l.scope_type AS "scopeType", l.scope_value AS "scopeValue", l.organization_id AS "organizationId", l.period,
    c.starts_on::text AS "startsOn", l.soft, c.spent`;

/** Raises the alarm of a soft limit once in each window, over all replicas: an entry of the audit, a log line, a metric. */
@Injectable()
export class SoftLimitsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
    private readonly metrics: SpendMetrics,
  ) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  /** @returns the number of alarms */
  async sweep(): Promise<number> {
    const reached = await this.database.separateTransaction(async (transaction) => {
      const rows = await transaction.query<Reached>(MARK);
      for (const { id, organizationId, soft, spent, ...details } of rows)
        await this.audit.record(transaction, {
          action: 'spend_soft_limit_reached',
          actor: SYSTEM,
          organizationId,
          target: { type: 'spend_limit', id },
          details: { ...details, soft: dollarsOf(BigInt(soft)), spent: dollarsOf(BigInt(spent)) },
        });
      return rows;
    });
    for (const { soft, spent, ...rest } of reached) {
      const amounts = { soft: dollarsOf(BigInt(soft)), spent: dollarsOf(BigInt(spent)) };
      this.logger.error({ ...rest, ...amounts }, 'A soft limit of spend is reached.');
      this.metrics.reachedSoftLimit(rest.scopeType, rest.period);
    }
    return reached.length;
  }
}
