import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { eraseStoredResponses } from '#libs/http';
import { RequestCommand } from '#libs/messages';
import { Contacts, type ContactToChange } from '../contacts.store.js';
import { eraseFromImports } from '../csv/import/erase-from-imports.js';
import { ContactNotFound, ErasingNeedsAnAdmin } from '../domain/contact.errors.js';
import { change, type ContactChanges } from '../domain/contact.js';
import {
  type ContactSummary,
  DELETE,
  ERASE,
  fieldsOf,
  RESTORE,
  summaryOf,
  UPDATE,
  writtenValues,
} from '../views/contact.view.js';

/** Equal values are no change. */
export class UpdateContact extends RequestCommand<
  { contactId: string; changes: ContactChanges; caller: Caller; ifVersion?: number },
  ContactSummary
> {}

@CommandHandler(UpdateContact)
export class UpdateContactHandler implements ICommandHandler<UpdateContact> {
  constructor(private readonly contacts: Contacts) {}

  async execute({ request: { changes, ...request } }: UpdateContact): Promise<ContactSummary> {
    const row = await this.contacts.change(request, (before) => {
      const { fields, changed } = change(fieldsOf(before), changes);
      if (changed.length === 0) return null;
      const data = { contactId: before.id, fields: changed };
      return { event: { type: 'ContactUpdated', data }, write: UPDATE, values: writtenValues(fields) };
    });
    return summaryOf(row);
  }
}

/** Sets the deleted flag; the contact can be restored. */
export class DeleteContact extends RequestCommand<ContactToChange, void> {}

@CommandHandler(DeleteContact)
export class DeleteContactHandler implements ICommandHandler<DeleteContact> {
  constructor(private readonly contacts: Contacts) {}

  async execute({ request }: DeleteContact): Promise<void> {
    await this.contacts.change(request, ({ id: contactId }) => ({
      event: { type: 'ContactDeleted', data: { contactId } },
      write: DELETE,
    }));
  }
}

/**
 * Clears the deleted flag; a contact that is not deleted is unchanged. @throws ContactNotFound, ScopeIsMissing,
 * VersionIsStale
 */
export class RestoreContact extends RequestCommand<ContactToChange, ContactSummary> {}

@CommandHandler(RestoreContact)
export class RestoreContactHandler implements ICommandHandler<RestoreContact> {
  constructor(private readonly contacts: Contacts) {}

  async execute({ request }: RestoreContact): Promise<ContactSummary> {
    const row = await this.contacts.change({ ...request, includeDeleted: true }, (before) => {
      if (before.deleted_at === null) return null;
      return { event: { type: 'ContactRestored', data: { contactId: before.id } }, write: RESTORE };
    });
    return summaryOf(row);
  }
}

/**
 * Removes a contact, deleted or not, with its notes, files and cards. Only the events remain, without personal data.
 */
export class EraseContact extends RequestCommand<ContactToChange, void> {}

@CommandHandler(EraseContact)
export class EraseContactHandler implements ICommandHandler<EraseContact> {
  constructor(private readonly contacts: Contacts) {}

  async execute({ request }: EraseContact): Promise<void> {
    await this.contacts.change({ ...request, includeDeleted: true }, (row) => {
      if (!isAdmin(request.caller, row.organization_id)) throw new ErasingNeedsAnAdmin();
      return {
        event: { type: 'ContactErased', data: { contactId: row.id } },
        write: ERASE,
        alsoWrite: async (transaction) => {
          await eraseFromImports(transaction, row);
          await eraseStoredResponses(transaction, { id: row.id }, new ContactNotFound());
        },
      };
    });
  }
}

function isAdmin({ organizations }: Caller, organizationId: string): boolean {
  const role = organizations.find(({ id }) => id === organizationId)?.role;
  return role === 'owner' || role === 'admin';
}
