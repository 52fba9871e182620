import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { eraseStoredResponses } from '#libs/http';
import { ContactNotFound, ErasingNeedsAnAdmin } from '../domain/contact.errors.js';
import { ERASE } from '../views/contacts.statements.js';
import { Contacts, type ContactToChange } from '../contacts.store.js';
import { eraseFromImports } from '../csv/import/erase-from-imports.js';

/**
 * Removes a contact, deleted or not, with its notes, files and cards. Only the events remain, without personal data.
 * @throws ContactNotFound, ScopeIsMissing, ErasingNeedsAnAdmin, VersionIsStale
 */
export class EraseContact extends Command<void> {
  constructor(readonly request: ContactToChange) {
    super();
  }
}

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
