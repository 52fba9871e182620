import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { change, type ContactChanges } from '../domain/contact.js';
import { type ContactSummary, fieldsOf, summaryOf, writtenValues } from '../views/contact.view.js';
import { UPDATE } from '../views/contacts.statements.js';
import { Contacts } from '../contacts.store.js';

export interface UpdateContactRequest {
  readonly contactId: string;
  readonly changes: ContactChanges;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

/** Equal values are no change. @throws ContactNotFound, ContactHasNoName, ScopeIsMissing, VersionIsStale */
export class UpdateContact extends Command<ContactSummary> {
  constructor(readonly request: UpdateContactRequest) {
    super();
  }
}

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
