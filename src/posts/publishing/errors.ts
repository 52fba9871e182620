import { isPassing } from '#libs/database';

/** A schema that is just changed (PostgreSQL, appendix A): once that is done, the same may be stored as it is. */
const SCHEMA_SQLSTATE = /^42[0-9A-Z]{3}$/;

/** Whether what could not be stored may be later, for it is not what was to be stored that is at fault. */
export function mayBeStoredLater(error: unknown): boolean {
  return isPassing(error) || SCHEMA_SQLSTATE.test(String((error as { code?: unknown } | null)?.code));
}

/** The database was promoted or restored since the claim was decided: it is decided again. */
export class RecoveryHasChanged extends Error {
  constructor() {
    super('The database was promoted or restored meanwhile.');
    this.name = 'RecoveryHasChanged';
  }
}
