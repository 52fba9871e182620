import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type ContactSummary, summaryOf } from '../views/contact.view.js';
import { RESTORE } from '../views/contacts.statements.js';
import { Contacts, type ContactToChange } from '../contacts.store.js';

/**
 * Clears the deleted flag; a contact that is not deleted is unchanged. @throws ContactNotFound, ScopeIsMissing,
 * VersionIsStale
 */
export class RestoreContact extends Command<ContactSummary> {
  constructor(readonly request: ContactToChange) {
    super();
  }
}

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
