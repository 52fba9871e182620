import type { DomainEvent } from '#libs/event-store';

/** One event for each organization whose contacts an export gives out, stored before its first byte is sent. */
export type ContactsExported = DomainEvent<
  'ContactsExported',
  {
    readonly exportId: string;
    /** Soft-deleted contacts instead of all others. */
    readonly deleted: boolean;
    /** Whether a search chose the contacts. What was typed is not kept: it names people. */
    readonly searched: boolean;
    /** Without the guard against formulas. */
    readonly raw: boolean;
  }
>;
