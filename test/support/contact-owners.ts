import type { Database } from '#libs/database';
import type { BusinessApi } from './business-api.js';
import type { ApiResponse, Call } from './call.js';
import { ContactsWorld } from './contacts-world.js';

/** A member with a contact. */
export interface ContactOwner {
  readonly world: ContactsWorld;
  readonly call: Call;
  readonly contactId: string;
}

export async function createContactOwner(api: BusinessApi): Promise<ContactOwner> {
  const world = new ContactsWorld(api);
  const { id: contactId } = await world.contact();
  return { world, call: world.call, contactId };
}

/** The events of a contact's notes and files, oldest first. */
export function eventsOf(database: Database, contactId: string) {
  return database.query<{ type: string; data: Record<string, unknown> }>(
    `SELECT type, data FROM events.event WHERE stream = $1 AND type NOT LIKE 'Contact%' ORDER BY version`,
    [contactId],
  );
}

export const statusAndCode = ({ status, body }: ApiResponse) => [status, (body as { code?: string }).code];
