import type { SandboxAccount } from '../state/accounts.js';
import type { AuthorizationDialect } from './authorization-request.js';

/** The consent page of a network. */
export interface Consent<A extends SandboxAccount = SandboxAccount> extends AuthorizationDialect {
  /** Path on the network's web host. */
  readonly path: string;
  /** Handles that a person may choose for a new account, and that rule in words. */
  readonly username: RegExp;
  readonly usernameInWords: string;
  /** Added to the code in the redirect, not part of it. Default none. */
  readonly codeSuffix?: string;
  /** Parameters of the redirect when the person denies. Default `error=access_denied`. */
  readonly denied?: Readonly<Record<string, string>>;
  /** Accounts of persons, where the network has others too. Default all. */
  readonly isSelectable?: (account: A) => boolean;
}
