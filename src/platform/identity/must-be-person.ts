import type { Caller } from '#libs/auth';
import { OnlyForPeople } from './identity.errors.js';

/** @throws OnlyForPeople for API keys and service principals. */
export function mustBePerson(caller: Caller): void {
  if (caller.isAutomation) throw new OnlyForPeople();
}
