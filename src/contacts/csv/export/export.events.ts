import type { DomainEvent } from '#libs/event-store';

/** One event per organization whose contacts are exported, stored before the first byte is sent. */
export type ContactsExported = DomainEvent<
  'ContactsExported',
  {
    readonly exportId: string;
    /** Soft-deleted contacts instead of all others. */
    readonly deleted: boolean;
    /** Whether a search selected the contacts. The text is not stored: it is personal data. */
    readonly searched: boolean;
    /** Without the guard against formulas. */
    readonly raw: boolean;
  }
>;
