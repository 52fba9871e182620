import type { Call } from '../../wire/call.js';
import type { Handled } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { ResendAccount } from './resend.js';

/** A route of Resend, which serves the account whose key the call carries. */
export interface AccountRoute extends Omit<Route, 'handle'> {
  readonly handle: (call: Call, account: ResendAccount) => Handled;
}
