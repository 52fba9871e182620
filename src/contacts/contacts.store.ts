import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import type { Statement, Transaction } from '#libs/database';
import { Database } from '#libs/database';
import { retryOnConflict, StreamHasMoved, VersionIsStale } from '#libs/event-store';
import type { ContactEvent } from './domain/contact.events.js';
import type { ContactFields } from './domain/contact.js';
import type { ContactRow } from './views/contact.view.js';
import { ContactAccess } from './queries/contacts.access.js';
import { ContactLog } from './contacts.log.js';
import { INSERT, valuesOf } from './commands/contacts.statements.js';

/** What is to happen to a contact: the event of it and the statement that does it, on its id and version. */
export interface Change {
  readonly event: ContactEvent;
  /** $1 is the id, $2 the version it must have, then `values`. */
  readonly write: Statement;
  readonly values?: readonly unknown[];
  /** What else the transaction does. */
  readonly andThen?: (transaction: Transaction) => Promise<void>;
}

export interface ChangeRequest {
  readonly contactId: string;
  readonly caller: Caller;
  readonly ifVersion?: number;
  /** Decide on soft-deleted contacts as well. */
  readonly deletedToo?: boolean;
}

/** Tries of a change before its conflict is told to the caller. After each conflict one other change is stored. */
const TRIES = 20;

/** Contacts are rows; what happened to them is told to the log in the same transaction. */
@Injectable()
export class Contacts {
  constructor(
    private readonly database: Database,
    private readonly log: ContactLog,
    private readonly access: ContactAccess,
  ) {}

  async create(
    caller: Caller,
    organizationId: string,
    fields: ContactFields,
    event: (contactId: string) => ContactEvent,
  ): Promise<ContactRow> {
    const id = randomUUIDv7();
    return this.database.transaction(async (transaction) => {
      const contact = { id, organization_id: organizationId };
      await this.log.append(transaction, caller, contact, event(id));
      const [row] = await transaction.query<ContactRow>(INSERT, [id, organizationId, ...valuesOf(fields)]);
      return row as ContactRow;
    });
  }

  /**
   * Decides on the contact as it is, again when somebody else was faster. Null decides that nothing happens.
   * @returns the contact as it is afterwards; of an erased one what it was.
   * @throws ContactNotFound, ScopeIsMissing, VersionIsStale, whatever `decide` throws
   */
  async change(request: ChangeRequest, decide: (row: ContactRow) => Change | null): Promise<ContactRow> {
    return retryOnConflict(this.database, () => this.tryToChange(request, decide), TRIES);
  }

  private async tryToChange(
    { contactId: id, caller, ifVersion, deletedToo }: ChangeRequest,
    decide: (row: ContactRow) => Change | null,
  ): Promise<ContactRow> {
    const row = await this.access.find(id, caller, 'contacts.write', { deletedToo });
    if (ifVersion !== undefined && ifVersion !== row.version) throw new VersionIsStale(row.version);
    const change = decide(row);
    if (change === null) return row;
    const { event, write, values = [], andThen } = change;
    return this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, row, event);
      const [after] = await transaction.query<ContactRow>(write, [id, row.version, ...values]);
      if (!after) throw new StreamHasMoved(id, row.version, null, 'version');
      await andThen?.(transaction);
      return after;
    });
  }
}
