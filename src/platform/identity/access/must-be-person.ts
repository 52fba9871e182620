import type { Caller } from '#libs/auth';
import { CallerIsNotPerson } from '../identity.errors.js';

/** @throws CallerIsNotPerson for API keys and service principals. */
export function mustBePerson(caller: Caller): void {
  if (caller.isAutomation) throw new CallerIsNotPerson();
}
