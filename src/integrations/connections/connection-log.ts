import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { BrandNotFound } from '#libs/auth';
import { GetBrand } from '../../brands/index.js';
import type { Transaction } from '#libs/database';
import { type EventActor, type EventMetadata, EventStore } from '#libs/event-store';
import { requestContext } from '#libs/http';
import type { ConnectionEvent } from '../domain/connection.events.js';

export interface ConnectionChange {
  readonly type: ConnectionEvent['type'];
  readonly connectionId: string;
  readonly brandId: string;
  readonly organizationId: string | null;
  readonly platform: string;
  /** Names of what changed, never values. */
  readonly changed: readonly string[];
  readonly actor: EventActor;
  readonly channel: EventMetadata['channel'];
}

/** A change that no caller requested. */
type SystemChange = Omit<ConnectionChange, 'organizationId' | 'actor' | 'channel'>;

const EVENT_TYPES: Record<ConnectionEvent['type'], true> = {
  AccountConnected: true,
  AccountReconnected: true,
  ReconnectNeeded: true,
  GrantEndsSoon: true,
  AccountDisconnected: true,
};

/** Appends events of connections for the audit. The state of a connection is its row, not its events. */
@Injectable()
export class ConnectionLog {
  constructor(
    private readonly events: EventStore,
    private readonly queries: QueryBus,
  ) {
    events.types.declareUnfolded('connection', EVENT_TYPES);
  }

  async append(transaction: Transaction, change: ConnectionChange): Promise<void> {
    const { type, connectionId, brandId, organizationId, platform, changed, actor, channel } = change;
    const { requestId, correlationId } = requestContext();
    await this.events.append(transaction, {
      stream: connectionId,
      streamType: 'connection',
      expected: type === 'AccountConnected' ? 'none' : 'any',
      events: [{ type, data: { connectionId, brandId, platform, changed } }],
      metadata: { organizationId, brandId, actor, channel, requestId, correlationId, causationId: null },
    });
  }

  /** The organization is the present owner of the brand; null when there is no such brand. @param by name of the process */
  async appendOfSystem(transaction: Transaction, change: SystemChange, by: string): Promise<void> {
    const { brandId } = change;
    const brand = await this.queries.execute(new GetBrand({ brandId })).catch((error: unknown) => {
      if (error instanceof BrandNotFound) return null;
      throw error;
    });
    const organizationId = brand?.organizationId ?? null;
    const actor = { type: 'system', id: by } as const;
    await this.append(transaction, { ...change, organizationId, actor, channel: 'network' });
  }
}

/** An ended connection keeps no token and no personal data. The id stays, because posts, attempts and the audit name it. */
export const ERASED_COLUMNS = `state = 'disconnected', access_token = NULL, refresh_token = NULL, access_expires_at = NULL,
  refresh_expires_at = NULL, consent_id = NULL, username = '', display_name = '', avatar_url = NULL, facts = '{}', scopes = '{}',
  pages = '[]', groups = '[]', token_version = token_version + 1, updated_at = now()`;
