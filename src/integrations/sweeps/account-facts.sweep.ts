import { Injectable } from '@nestjs/common';
import { concurrently } from '#libs/concurrency';
import { Database, statement } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import type { AccountFacts } from '../domain/provider-grants.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { AccessTokens } from '../tokens/access-tokens.js';

const EVERY_MS = 60_000;
const BATCH = 50;
/** Concurrent calls: they are not urgent. */
const AT_ONCE = 4;

/** Takes connections whose facts are due: due again in an hour, should this reading fail. $1: platforms that can be asked. */
const TAKE = statement(
  'integrations_take_due_facts',
  `UPDATE integrations.connection SET facts_due_at = now() + interval '1 hour'
   WHERE id IN (
     SELECT id FROM integrations.connection
     WHERE state = 'active' AND facts_due_at <= now() AND platform = ANY ($1::text[])
     ORDER BY facts_due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);
/** Read again after a day. Unchanged facts are no change of the connection. */
const STORE = statement(
  'integrations_store_facts',
  `UPDATE integrations.connection
   SET facts = $2, facts_due_at = now() + interval '1 day', updated_at = CASE WHEN facts = $2 THEN updated_at ELSE now() END
   WHERE id = $1 AND state = 'active'`,
);

/** Reads once a day what rules of a network depend on, such as a subscription. After a failure the former facts stay. */
@Injectable()
export class AccountFactsSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly tokens: AccessTokens,
    private readonly providers: ProviderRegistry,
  ) {
    super(EVERY_MS);
  }

  /** @returns how many connections were due */
  async sweep(): Promise<number> {
    const platforms = this.providers.connected().map(({ platform }) => platform);
    let failed = 0;
    const total = await this.inBatches(BATCH, async () => {
      const due = await this.database.query<{ id: string }>(TAKE, [platforms, BATCH]);
      failed += await this.readAll(due.map(({ id }) => id));
      return due.length;
    });
    if (failed > 0) this.logger.warn(`Facts of ${failed} of ${total} accounts could not be read yet.`);
    return total;
  }

  /** @returns how many failed */
  private async readAll(connectionIds: readonly string[]): Promise<number> {
    let failed = 0;
    await concurrently(connectionIds, AT_ONCE, async (id) => {
      if (!this.isStopping && !(await this.read(id))) failed += 1;
    });
    return failed;
  }

  /** @returns false: they could not be read */
  private async read(connectionId: string): Promise<boolean> {
    const access = await this.tokens.fresh(connectionId);
    if (access.kind !== 'usable') return false;
    const { platform, account, accessToken } = access;
    const facts = await this.providers
      .publishing(platform)
      .facts(account, accessToken)
      .catch((): AccountFacts | null => null);
    if (facts === null) return false;
    await this.database.query(STORE, [connectionId, JSON.stringify(facts)]);
    return true;
  }
}
