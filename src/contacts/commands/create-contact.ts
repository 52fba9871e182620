import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, organizationFor } from '#libs/auth';
import { Database } from '#libs/database';
import { ContactIsADuplicate } from '../domain/contact.errors.js';
import { type ContactChanges, create } from '../domain/contact.js';
import { type ContactSummary, FIND_BY_EMAIL, summaryOf } from '../views/contact.view.js';
import { Contacts } from '../contacts.store.js';
import { emailKey } from '#libs/email-address';
import { RequestCommand } from '#libs/messages';

export interface NewContact {
  readonly caller: Caller;
  /** Optional when exactly one organization grants contacts.write to the caller. */
  readonly organizationId?: string;
  readonly fields: ContactChanges;
  readonly onDuplicate: 'accept' | 'reject';
}

export class CreateContact extends RequestCommand<NewContact, ContactSummary> {}

/**
 * Two concurrent requests that refuse duplicates must see each other. Locked before the first write, so that readers of
 * the log do not wait.
 */
const LOCK_ADDRESS = `SELECT pg_advisory_xact_lock(hashtextextended('contact email ' || $1 || ' ' || $2, 0))`;

@CommandHandler(CreateContact)
export class CreateContactHandler implements ICommandHandler<CreateContact> {
  constructor(
    private readonly database: Database,
    private readonly contacts: Contacts,
  ) {}

  async execute({ request: { caller, fields: given, ...how } }: CreateContact): Promise<ContactSummary> {
    const organizationId = organizationFor(caller, 'contacts.write', how.organizationId);
    const { fields, named } = create(given);
    return this.database.transaction(async () => {
      if (how.onDuplicate === 'reject' && fields.email !== null)
        await this.refuseDuplicate(organizationId, emailKey(fields.email));
      const row = await this.contacts.create(caller, organizationId, fields, (contactId) => ({
        type: 'ContactCreated',
        data: { contactId, fields: named },
      }));
      return summaryOf(row);
    });
  }

  private async refuseDuplicate(organizationId: string, key: string): Promise<void> {
    await this.database.query(LOCK_ADDRESS, [organizationId, key]);
    const [other] = await this.database.query<{ id: string }>(FIND_BY_EMAIL, [organizationId, key]);
    if (other) throw new ContactIsADuplicate(other.id);
  }
}
