import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import type { Asker, SourceId, SourceRequest } from './sources/trend-source.js';

/** A repetition within this time is the same request. Less than the gateway keeps a key, and the date in a request is hardly older. */
const REPEATED_HOURS = 1;

type Ask = Pick<SourceRequest, 'idempotencyKey' | 'brandName'> & {
  readonly userId: string | null;
  readonly askedAt: Date;
};

/** A brand that was transferred asks on behalf of its new organization. */
const FORGET = statement(
  'ai_forget_trend_ask',
  `DELETE FROM ai.trend_ask WHERE brand_id = $1 AND kind = $2 AND key = $3
     AND (organization_id <> $4 OR asked_at < now() - interval '${REPEATED_HOURS} h')`,
);

const RESERVE = statement(
  'ai_reserve_trend_ask',
  `INSERT INTO ai.trend_ask AS ask
     (brand_id, kind, key, organization_id, idempotency_key, user_id, brand_name, asked_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now())
   ON CONFLICT (brand_id, kind, key) DO UPDATE SET brand_name = ask.brand_name
   RETURNING idempotency_key AS "idempotencyKey", user_id AS "userId", brand_name AS "brandName", asked_at AS "askedAt"`,
);

const END = statement(
  'ai_end_trend_ask',
  'DELETE FROM ai.trend_ask WHERE brand_id = $1 AND kind = $2 AND key = $3',
);

const DELETE_OLD = statement(
  'ai_delete_old_trend_asks',
  `DELETE FROM ai.trend_ask WHERE (brand_id, kind, key) IN (
     SELECT brand_id, kind, key FROM ai.trend_ask WHERE asked_at < now() - interval '${REPEATED_HOURS} h'
     ORDER BY asked_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING kind`,
);

/**
 * Requests to sources, stored before they are sent. A process that takes over after a crash, and the next attempt after an outcome in
 * doubt, send exactly the stored one: another person, day or name of the brand would be another request, which is billed again.
 */
@Injectable()
export class AsksStore {
  constructor(private readonly database: Database) {}

  /** The request to send: of this asker, or an earlier one without a certain outcome. Only for the holder of the source's lease. */
  async reserve(source: SourceId, { organizationId, userId, brandName }: Asker): Promise<SourceRequest> {
    const id = [source.brandId, source.kind, source.key, organizationId];
    await this.database.query(FORGET, id);
    const values = [...id, randomUUID(), userId ?? null, brandName];
    const [ask] = await this.database.query<Ask>(RESERVE, values);
    if (!ask) throw new TypeError('The statement returns one row.');
    const { askedAt, userId: askedBy, ...request } = ask;
    return {
      source,
      organizationId,
      ...request,
      userId: askedBy ?? undefined,
      askedAt: askedAt.toISOString(),
    };
  }

  /** The outcome is certain: the next request is another one. */
  async end(executor: Executor, { brandId, kind, key }: SourceId): Promise<void> {
    await executor.query(END, [brandId, kind, key]);
  }

  /** @returns how many; less than `limit`: none are left */
  async deleteOld(limit: number): Promise<number> {
    return (await this.database.query(DELETE_OLD, [limit])).length;
  }
}
