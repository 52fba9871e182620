import type { Clock } from '#libs/clock';
import type { Markup } from '#libs/pages';
import type { AccountCard } from './control/index.page.js';
import type { SandboxClient } from './credentials.js';
import type { FaultRegistry } from './faults/fault-registry.js';
import type { SandboxFiles } from './files.js';
import type { Journal, Persistent } from './ledger/journal.js';
import type { CallCounter } from './ledger/answered-calls.js';
import type { Ledger } from './ledger/ledger.js';
import type { SandboxConfig } from './sandbox.config.js';
import type { Route } from './wire/router.js';
import type { Site } from './wire/site.js';

/**
 * One part of the outside world: a network, or a provider of something else. A new one brings its folder and this
 * interface, and is added to the list in networks/networks.ts; the ledger, the faults and the journal are there for it.
 */
export interface OutsideService {
  readonly sites: readonly Site[];
  /** Sites on a port of their own, for faults and the index page. */
  readonly ownSites?: readonly Site[];
  /** Under `/_sandbox`. */
  readonly controlRoutes: readonly Route[];
  readonly persistent: readonly Persistent[];
  /** Where a person can look at what was published. */
  accountCards(): AccountCard[];
  /** What else people see of it on the index page. */
  indexSection?(): Markup;
  /** Called after the state is restored and before the first request, with the address of the sandbox. */
  open(baseUrl: string): void | Promise<void>;
  /** Ends what `open` started, such as a server on a port of its own. */
  close?(): Promise<void>;
  /** Resets everything. */
  clear(): void;
}

/** What the sandbox has for all of them. */
export interface SandboxContext {
  readonly config: SandboxConfig;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly files: SandboxFiles;
  /** The app of the product at every network. */
  readonly client: SandboxClient & { readonly redirectUris: readonly string[] };
  /** Posts kept in memory. */
  readonly capacity: number;
  readonly faults: FaultRegistry;
  readonly calls: CallCounter;
  /** Loopback address that the sandbox listens on. */
  readonly host: string;
  /** The port of a part with a port of its own: a free one (0) where the sandbox itself takes a free one. */
  readonly ownPort: (configured: number) => number;
}

export type SandboxNetwork = (world: SandboxContext) => OutsideService;
