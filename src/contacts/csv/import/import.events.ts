import type { DomainEvent } from '#libs/event-store';
import type { ContactField } from '../../domain/contact.events.js';
import type { ImportTotals } from './import-report.js';

/** One event for a whole import, in a stream of its own. The contacts that came in or changed carry its id. */
export type ContactsImported = DomainEvent<
  'ContactsImported',
  ImportTotals & {
    readonly importId: string;
    /** What the file's columns are mapped to: nothing else of a contact can have changed. Missing in the oldest ones. */
    readonly fields?: readonly (ContactField | 'notes')[];
  }
>;
