import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DELETE } from '../views/contacts.statements.js';
import { Contacts, type ContactToChange } from '../contacts.store.js';

/** Sets the deleted flag; the contact can be restored. @throws ContactNotFound, ScopeIsMissing, VersionIsStale */
export class DeleteContact extends Command<void> {
  constructor(readonly request: ContactToChange) {
    super();
  }
}

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
