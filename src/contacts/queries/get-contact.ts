import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { ContactSummary } from '../views/contact.view.js';
import { summaryOf } from '../views/contact.view.js';
import { ContactAccess } from './contacts.access.js';

/** @throws ContactNotFound, ScopeIsMissing */
export class GetContact extends Query<ContactSummary> {
  constructor(
    readonly contactId: string,
    readonly caller: Caller,
  ) {
    super();
  }
}

@QueryHandler(GetContact)
export class GetContactHandler implements IQueryHandler<GetContact> {
  constructor(private readonly access: ContactAccess) {}

  async execute({ contactId, caller }: GetContact): Promise<ContactSummary> {
    return summaryOf(await this.access.find(contactId, caller, 'contacts.read'));
  }
}
