import type { ImportTotals } from './import-report.js';

/** One event for a whole import, in a stream of its own: numbers only. The contacts carry its id. */
export interface ContactsImported {
  readonly type: 'ContactsImported';
  readonly data: ImportTotals & { readonly importId: string };
}
