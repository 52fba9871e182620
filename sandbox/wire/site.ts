import type { AccountName } from '../ledger/effect.js';
import type { SandboxResponse } from './response.js';
import type { Call } from './call.js';
import type { Router } from './router.js';

/** One host of a network, under a path prefix because all hosts share one address. */
export interface Site {
  /** First path segment: `x` stands for api.x.com. Empty for the sandbox's own pages. */
  readonly prefix: string;
  /** The name of this host in faults and in the ledger. */
  readonly host: string;
  /** What it stands in for, as the index page lists it. */
  readonly standsFor?: string;
  /** Where it listens when it has a port of its own. */
  readonly address?: () => string;
  readonly router: Router;
  /** Set when faults may disturb this site. */
  readonly disturbable?: FaultInjectable;
  /** The site's own words for: no such address (404), too large (413), broken (500). */
  refuse(status: 404 | 413 | 500): SandboxResponse;
}

/** What faults need from a network to respond in its format. */
export interface FaultInjectable {
  readonly network: string;
  accountOf(call: Call): AccountName | undefined;
  textOf(call: Call): string | undefined;
  refuse(refusal: Refusal): SandboxResponse;
  /** A server error was sent in place of the response of an effect. */
  replaced?(original: SandboxResponse, sent: SandboxResponse): void;
}

/** Refusals of every network; each has its own format. */
export type Refusal =
  | { readonly kind: 'rate-limited'; readonly resetSeconds: number }
  | { readonly kind: 'usage-capped' }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'forbidden'; readonly reason: string }
  | { readonly kind: 'server-error'; readonly status: number };
