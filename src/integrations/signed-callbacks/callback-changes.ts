import { Injectable } from '@nestjs/common';
import { Database, isUniqueViolation, type Transaction } from '#libs/database';
import { type ConnectionChange, ConnectionLog } from '../connections/connection-log.js';
import { ConnectionsAreChanging } from '../domain/integration.errors.js';
import { PreparationsStore } from '../preparations/preparations.store.js';
import {
  type CallbackKind,
  type CallbackRecord,
  type ConcernedConnection,
  SignedCallbacksStore,
} from './signed-callbacks.store.js';
import type { NetworkCallback } from './signed-requests.js';

export interface CallbackEffect {
  readonly kind: CallbackKind;
  /** Names the status page of a data deletion; null: the request is none. */
  readonly code: string | null;
  readonly concerns: (connection: ConcernedConnection) => boolean;
  readonly event: (connection: ConcernedConnection) => Pick<ConnectionChange, 'type' | 'changed'>;
  readonly apply: (transaction: Transaction, ids: readonly string[]) => Promise<void>;
}

const TIMES = 3;

/** Another process changed the connections between the events and the rows. */
class ConnectionsHaveChanged extends Error {}

/** Applies a callback once, to every connection of the person, in one transaction: all of it or nothing. */
@Injectable()
export class CallbackChanges {
  constructor(
    private readonly database: Database,
    private readonly store: SignedCallbacksStore,
    private readonly log: ConnectionLog,
    private readonly preparations: PreparationsStore,
  ) {}

  /** @returns the record, of the first time when the request is repeated @throws ConnectionsAreChanging */
  async once(callback: NetworkCallback, effect: CallbackEffect): Promise<CallbackRecord> {
    for (let time = 1; time <= TIMES; time += 1) {
      const known = await this.store.find(effect.kind, callback);
      if (known) return known;
      const concerned = (await this.store.concerned(callback)).filter(effect.concerns);
      try {
        await this.database.transaction((transaction) =>
          this.write(transaction, callback, effect, concerned),
        );
      } catch (error) {
        const isRepeatable = error instanceof ConnectionsHaveChanged || isUniqueViolation(error);
        if (!isRepeatable) throw error;
      }
    }
    const stored = await this.store.find(effect.kind, callback);
    if (!stored) throw new ConnectionsAreChanging();
    return stored;
  }

  /** Every append comes before the first row. */
  private async write(
    transaction: Transaction,
    callback: NetworkCallback,
    effect: CallbackEffect,
    concerned: readonly ConcernedConnection[],
  ): Promise<void> {
    const { kind, code, event } = effect;
    for (const connection of concerned) {
      const { id: connectionId, brandId } = connection;
      const change = { ...event(connection), connectionId, brandId, platform: callback.platform };
      await this.log.appendOfSystem(transaction, change, `${kind}-callback`);
    }
    const held = (await this.store.hold(transaction, callback)).filter(effect.concerns);
    if (keyOf(held) !== keyOf(concerned)) throw new ConnectionsHaveChanged();
    const ids = concerned.map(({ id }) => id);
    await effect.apply(transaction, ids);
    for (const id of ids) await this.preparations.erase(id);
    await this.store.save(transaction, kind, callback, { code, connections: ids.length });
  }
}

const keyOf = (connections: readonly ConcernedConnection[]): string =>
  connections.map(({ id, state }) => `${id}:${state}`).join();
