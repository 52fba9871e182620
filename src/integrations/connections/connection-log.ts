import { Injectable } from '@nestjs/common';
import type { Transaction } from '#libs/database';
import { EventStore } from '#libs/event-store';
import type { EventActor, EventMetadata } from '#libs/event-store';
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

/** Appends events of connections for the audit. The state of a connection is its row, not its events. */
@Injectable()
export class ConnectionLog {
  constructor(private readonly events: EventStore) {}

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
}
