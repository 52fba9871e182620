import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';
import { actorOfCaller, GatewayAudit } from '../../../audit/gateway-audit.js';
import { dollarsOf } from '../spend/money.js';
import { SpendLimitNotFound } from './limits.errors.js';
import { LimitsStore } from './limits.store.js';
import { auditsOf, type NewSpendLimit, type SpendAmounts, type SpendLimit } from '../spend/spend-limit.js';

/** Changes of limits, each with its entry in the audit. */
@Injectable()
export class Limits {
  constructor(
    private readonly database: Database,
    private readonly store: LimitsStore,
    private readonly audit: GatewayAudit,
  ) {}

  /** @throws SpendLimitExists, TooManySpendLimits */
  create(limit: NewSpendLimit, by: Caller): Promise<SpendLimit> {
    return this.database.transaction(async () => {
      const created = await this.found(await this.store.create(limit, by.id));
      await this.record('spend_limit_created', created, by);
      return created;
    });
  }

  /** @throws VersionIsStale */
  change(
    { id, version }: SpendLimit,
    amounts: SpendAmounts,
    by: Caller,
    ifVersion?: number,
  ): Promise<SpendLimit> {
    return this.database.transaction(async () => {
      if (!(await this.store.update(id, ifVersion ?? version, amounts))) throw new VersionIsStale(version);
      const changed = await this.found(id);
      await this.record('spend_limit_changed', changed, by);
      return changed;
    });
  }

  /** @throws VersionIsStale */
  delete(limit: SpendLimit, by: Caller, ifVersion?: number): Promise<void> {
    return this.database.transaction(async () => {
      if (!(await this.store.delete(limit.id, ifVersion ?? limit.version)))
        throw new VersionIsStale(limit.version);
      await this.record('spend_limit_deleted', limit, by);
    });
  }

  private async found(id: string): Promise<SpendLimit> {
    const limit = await this.store.find(id);
    if (!limit) throw new SpendLimitNotFound();
    return limit;
  }

  private async record(action: string, limit: SpendLimit, by: Caller): Promise<void> {
    const { id, scopeType, scopeValue, setBy, period, hard, soft } = limit;
    const entry = {
      action,
      actor: actorOfCaller(by),
      target: { type: 'spend_limit', id },
      details: {
        scopeType,
        scopeValue,
        setBy,
        period,
        hard: hard === null ? null : dollarsOf(hard),
        soft: soft === null ? null : dollarsOf(soft),
      },
    };
    for (const organizationId of auditsOf(limit))
      await this.audit.record(this.database, { ...entry, organizationId });
  }
}
