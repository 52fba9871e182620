import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { KeyedMutex } from '#libs/concurrency';
import { Database, type Statement, type Transaction } from '#libs/database';
import { retryOnConflict, StreamHasMoved, VersionIsStale } from '#libs/event-store';
import type { ContactEvent } from './domain/contact.events.js';
import type { ContactFields } from './domain/contact-fields.js';
import { type ContactRow, INSERT, writtenValues } from './views/contact.view.js';
import { ContactsAreBusy } from './domain/contact.errors.js';
import { ContactAccess } from './queries/contacts.access.js';
import { ContactLog } from './contacts.stream.js';

/** A change of a contact: its event and the statement that applies it to an id and version. */
export interface Change {
  readonly event: ContactEvent;
  /** $1 is the id, $2 the required version, then `values`. */
  readonly write: Statement;
  readonly values?: readonly unknown[];
  readonly alsoWrite?: (transaction: Transaction) => Promise<void>;
}

export interface ChangeRequest {
  readonly contactId: string;
  readonly caller: Caller;
  readonly ifVersion?: number;
  readonly includeDeleted?: boolean;
}

/** Maximum attempts after concurrent updates. After each conflict another change is stored. */
const MAX_ATTEMPTS = 20;
/**
 * Changes that a process writes at the same time for one organization. They may all wait for an import, which locks its contacts for
 * seconds, with a connection each; other organizations would get none.
 */
const MAX_WRITERS = 2;
/** As long as a statement may wait by default. */
const MAX_WAIT_MS = 15_000;

/** Contacts are rows; their events are appended to the log in the same transaction. */
@Injectable()
export class Contacts {
  private readonly turns = new KeyedMutex();

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
      const [row] = await transaction.query<ContactRow>(INSERT, [
        id,
        organizationId,
        ...writtenValues(fields),
      ]);
      return row as ContactRow;
    });
  }

  /**
   * Decides on the current contact, again after a concurrent update. Null means no change.
   * @returns the contact after the change; the former one when it was erased.
   * @throws ContactNotFound, ScopeIsMissing, VersionIsStale, ContactsAreBusy, the errors of `decide`
   */
  async change(request: ChangeRequest, decide: (row: ContactRow) => Change | null): Promise<ContactRow> {
    // Read again in its turn: what it reads before, the changes that it waits for make stale.
    const { organization_id: organizationId } = await this.find(request);
    const work = () => this.tryToChange(request, decide);
    return this.inTurn(organizationId, request.contactId, () =>
      retryOnConflict(this.database, work, MAX_ATTEMPTS),
    );
  }

  private find({ contactId, caller, includeDeleted }: ChangeRequest): Promise<ContactRow> {
    return this.access.find(contactId, caller, 'contacts.write', { includeDeleted });
  }

  private async tryToChange(
    request: ChangeRequest,
    decide: (row: ContactRow) => Change | null,
  ): Promise<ContactRow> {
    const { contactId: id, caller, ifVersion } = request;
    const row = await this.find(request);
    if (ifVersion !== undefined && ifVersion !== row.version) throw new VersionIsStale(row.version);
    const change = decide(row);
    if (change === null) return row;
    const { event, write, values = [], alsoWrite } = change;
    return this.database.transaction(async (transaction) => {
      await this.log.append(transaction, caller, row, event);
      const [after] = await transaction.query<ContactRow>(write, [id, row.version, ...values]);
      if (!after) throw new StreamHasMoved(id, row.version, null, 'version');
      await alsoWrite?.(transaction);
      return after;
    });
  }

  /** Inside of a transaction the work runs at once: the connection is taken. */
  private inTurn<T>(organizationId: string, contactId: string, work: () => Promise<T>): Promise<T> {
    if (this.database.isInTransaction) return work();
    const writer = Number.parseInt(contactId.slice(-4), 16) % MAX_WRITERS;
    const refusal = () => new ContactsAreBusy();
    return this.turns.runExclusive(`${organizationId} ${writer}`, work, { maxMs: MAX_WAIT_MS, refusal });
  }
}
