import { randomUUIDv7 } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { Leases } from '#libs/due-work';
import { AuthorizationRequestsStore } from './connections/authorization-requests.store.js';
import { RefreshConnection } from './commands/refresh-connection.js';

const EVERY_MS = 60_000;
const LEASE = 'sweep:expiring-tokens';
const LEASE_MS = 5 * EVERY_MS;
/** Renewed this long before the end, so that a post at that minute finds a token that works. */
const AHEAD = '15 minutes';
/** A sweep must end well inside its lease even when the network is slow. */
const AT_ONCE = 20;

interface Expiring {
  readonly id: string;
  readonly tokenVersion: number;
}

/** Renews tokens before they end and forgets sign-ins that nobody came back from. One replica at a time. */
@Injectable()
export class ExpiringTokensSweep {
  private readonly logger = new Logger(ExpiringTokensSweep.name);
  private readonly owner = randomUUIDv7();

  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
    private readonly commands: CommandBus,
    private readonly requests: AuthorizationRequestsStore,
  ) {}

  @Interval(EVERY_MS)
  async tick(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(error, 'The sweep of expiring tokens did not finish; the next one goes on.');
    }
  }

  /** @returns how many connections were asked to be renewed; 0 too when another replica is at it. */
  async sweep(): Promise<number> {
    const taken = await this.leases.acquire(this.database, [LEASE], LEASE_MS);
    if (taken.size === 0) return 0;
    try {
      await this.requests.forgetExpired();
      const expiring = await this.expiring();
      await Promise.all(
        expiring.map(({ id, tokenVersion }) =>
          this.commands.execute(new RefreshConnection(id, tokenVersion)),
        ),
      );
      return expiring.length;
    } finally {
      await this.leases.release(this.database, taken);
    }
  }

  private expiring(): Promise<Expiring[]> {
    return this.database.query<Expiring>(
      `SELECT id, token_version AS "tokenVersion" FROM integrations.connection
       WHERE state = 'active' AND refresh_token IS NOT NULL AND access_expires_at < now() + interval '${AHEAD}'
       ORDER BY access_expires_at LIMIT ${AT_ONCE}`,
    );
  }
}
