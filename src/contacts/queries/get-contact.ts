import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { type ContactSummary, summaryOf } from '../views/contact.view.js';
import { ContactAccess } from './contacts.access.js';

export interface GetContactRequest {
  readonly contactId: string;
  readonly caller: Caller;
}

/** @throws ContactNotFound, ScopeIsMissing */
export class GetContact extends Query<ContactSummary> {
  constructor(readonly request: GetContactRequest) {
    super();
  }
}

@QueryHandler(GetContact)
export class GetContactHandler implements IQueryHandler<GetContact> {
  constructor(private readonly access: ContactAccess) {}

  async execute({ request: { contactId, caller } }: GetContact): Promise<ContactSummary> {
    return summaryOf(await this.access.find(contactId, caller, 'contacts.read'));
  }
}
