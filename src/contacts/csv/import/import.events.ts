import type { DomainEvent } from '#libs/event-store';
import type { ContactField } from '../../domain/contact-fields.js';
import type { ImportTotals } from './import-report.js';

/** One event for a whole import, in its own stream. Created and changed contacts carry its id. */
export type ContactsImported = DomainEvent<
  'ContactsImported',
  ImportTotals & {
    readonly importId: string;
    /** The mapped fields: no other field of a contact can have changed. Missing in the oldest events. */
    readonly fields?: readonly (ContactField | 'notes')[];
  }
>;
