import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { eraseStoredResponses } from '#libs/http';
import { RequestCommand } from '#libs/messages';
import { type Change, type ChangeRequest, Contacts } from '../contacts.store.js';
import { eraseFromImports } from '../csv/import/erase-from-imports.js';
import { ContactNotFound, ErasingNeedsAnAdmin } from '../domain/contact.errors.js';
import { change, type ContactChanges } from '../domain/contact.js';
import {
  type ContactRow,
  type ContactSummary,
  DELETE,
  ERASE,
  fieldsOf,
  RESTORE,
  summaryOf,
  UPDATE,
  writtenValues,
} from '../views/contact.view.js';

/** What a change means for the current contact; null for no change. */
type Decision = (before: ContactRow) => Change | null;

/** Changes a contact by one of the decisions below; an erased contact is returned as it was. */
export class ChangeContact extends RequestCommand<ChangeRequest & { decision: Decision }, ContactSummary> {}

@CommandHandler(ChangeContact)
export class ChangeContactHandler implements ICommandHandler<ChangeContact> {
  constructor(private readonly contacts: Contacts) {}

  async execute({ request: { decision, ...request } }: ChangeContact): Promise<ContactSummary> {
    return summaryOf(await this.contacts.change(request, decision));
  }
}

/** Equal values are no change. */
export const update =
  (changes: ContactChanges): Decision =>
  (before) => {
    const { fields, changed } = change(fieldsOf(before), changes);
    if (changed.length === 0) return null;
    const data = { contactId: before.id, fields: changed };
    return { event: { type: 'ContactUpdated', data }, write: UPDATE, values: writtenValues(fields) };
  };

/** Sets the deleted flag; the contact can be restored. */
export const remove: Decision = ({ id: contactId }) => ({
  event: { type: 'ContactDeleted', data: { contactId } },
  write: DELETE,
});

/** Clears the deleted flag; a contact that is not deleted is unchanged. */
export const restore: Decision = ({ id: contactId, deleted_at }) =>
  deleted_at && { event: { type: 'ContactRestored', data: { contactId } }, write: RESTORE };

/** Removes a contact, deleted or not, with its notes, files and cards. Only the events remain, without personal data. */
export const erase =
  ({ organizations }: Caller): Decision =>
  (row) => {
    const role = organizations.find(({ id }) => id === row.organization_id)?.role;
    if (role !== 'owner' && role !== 'admin') throw new ErasingNeedsAnAdmin();
    return {
      event: { type: 'ContactErased', data: { contactId: row.id } },
      write: ERASE,
      alsoWrite: async (transaction) => {
        await eraseFromImports(transaction, row);
        await eraseStoredResponses(transaction, { id: row.id }, new ContactNotFound());
      },
    };
  };
