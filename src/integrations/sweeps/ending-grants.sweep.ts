import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { ConnectionLog } from '../connections/connection-log.js';
import { warningMs } from '../domain/grant-health.js';
import { IntegrationWarningsConfig } from '../integration-warnings.config.js';
import { ProviderRegistry } from '../registry/provider-registry.js';

const EVERY_MS = 10 * 60_000;
const BATCH = 100;
const DAY_MS = 86_400_000;

interface Ending {
  readonly connectionId: string;
  readonly brandId: string;
  readonly platform: string;
  readonly tokenVersion: number;
}

const ENDS_AT = 'CASE WHEN c.refresh_token IS NULL THEN c.access_expires_at ELSE c.refresh_expires_at END';

/**
 * Connections whose grant ends soon, as `grantHealthOf` decides, and whose end was not announced for the present tokens. An access
 * token that renews itself comes without a refresh token. $1 platforms, $2 milliseconds before the end.
 */
const ENDING = statement(
  'integrations_ending_grants',
  `SELECT c.id AS "connectionId", c.brand_id AS "brandId", c.platform, c.token_version AS "tokenVersion"
   FROM unnest($1::text[], $2::float8[]) AS renewal (platform, ahead_ms) CROSS JOIN LATERAL (
     SELECT * FROM integrations.connection AS c
     WHERE c.platform = renewal.platform AND c.state = 'active' AND c.end_announced_version IS DISTINCT FROM c.token_version
       AND ${ENDS_AT} <= now() + renewal.ahead_ms * interval '1 millisecond'
     ORDER BY ${ENDS_AT} LIMIT $3) AS c
   LIMIT $3`,
);
const ANNOUNCE = statement(
  'integrations_announce_end_of_grant',
  `UPDATE integrations.connection SET end_announced_version = token_version
   WHERE id = $1 AND token_version = $2 AND state = 'active' AND end_announced_version IS DISTINCT FROM token_version
   RETURNING id`,
);

/** Another replica announced the end, or the tokens changed. */
class EndIsAnnounced extends Error {}

/** Once for each version of the tokens. The row decides in the transaction of the event, so that replicas need no lease. */
@Injectable()
export class EndingGrantsSweep extends PeriodicSweep {
  private readonly platforms: string[];
  private readonly aheadMs: number[];

  constructor(
    private readonly database: Database,
    private readonly log: ConnectionLog,
    providers: ProviderRegistry,
    { grantDays }: IntegrationWarningsConfig,
  ) {
    super(EVERY_MS);
    const connected = providers.connected();
    this.platforms = connected.map(({ platform }) => platform);
    this.aheadMs = connected.map(({ renewal }) => warningMs(renewal, grantDays * DAY_MS));
  }

  /** @returns how many ends this process announced */
  async sweep(): Promise<number> {
    let announced = 0;
    await this.inBatches(BATCH, async () => {
      const values = [this.platforms, this.aheadMs, BATCH];
      const ending = await this.database.query<Ending>(ENDING, values);
      for (const each of ending) announced += (await this.announce(each)) ? 1 : 0;
      return ending.length;
    });
    if (announced > 0)
      this.logger.warn(`${announced} connections end soon: their owners have to connect again.`);
    return announced;
  }

  private async announce({ connectionId, brandId, platform, tokenVersion }: Ending): Promise<boolean> {
    const change = { type: 'GrantEndsSoon', connectionId, brandId, platform, changed: [] } as const;
    const write = this.database.transaction(async (transaction) => {
      await this.log.appendOfSystem(transaction, change, 'token-refresh');
      const updated = await transaction.query(ANNOUNCE, [connectionId, tokenVersion]);
      if (updated.length === 0) throw new EndIsAnnounced();
    });
    return write.then(
      () => true,
      (error: unknown) => {
        if (error instanceof EndIsAnnounced) return false;
        throw error;
      },
    );
  }
}
