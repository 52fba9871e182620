import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { DELETE } from '../views/contacts.statements.js';
import { Contacts } from '../contacts.store.js';

/** Sets the deleted flag; the contact can be restored. @throws ContactNotFound, ScopeIsMissing, VersionIsStale */
export class DeleteContact extends Command<void> {
  constructor(
    readonly contactId: string,
    readonly caller: Caller,
    readonly ifVersion?: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteContact)
export class DeleteContactHandler implements ICommandHandler<DeleteContact> {
  constructor(private readonly contacts: Contacts) {}

  async execute(request: DeleteContact): Promise<void> {
    await this.contacts.change({ ...request }, ({ id: contactId }) => ({
      event: { type: 'ContactDeleted', data: { contactId } },
      write: DELETE,
    }));
  }
}
