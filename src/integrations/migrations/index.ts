import type { MigrationClass } from '#libs/database';
import { Connections1790000000500 } from './1790000000500-connections.js';
import { ProviderSetup1790000000501 } from './1790000000501-provider-setup.js';
import { ConnectCaller1790000000503 } from './1790000000503-connect-caller.js';
import { ConnectStart1790000000506 } from './1790000000506-connect-start.js';
import { SharedConsents1790000000507 } from './1790000000507-shared-consents.js';
import { PublishPreparation1790000000508 } from './1790000000508-publish-preparation.js';
import { PreparationBounds1790000000509 } from './1790000000509-preparation-bounds.js';
import { PreparedFiles1790000000510 } from './1790000000510-prepared-files.js';
import { AccountFacts1790000000511 } from './1790000000511-account-facts.js';
import { NetworkOutages1790000000520 } from './1790000000520-network-outages.js';
import { NetworkUsage1790000000530 } from './1790000000530-network-usage.js';
import { GrantsThatEnd1790000000531 } from './1790000000531-grants-that-end.js';
import { SignedCallbacks1790000000540 } from './1790000000540-signed-callbacks.js';
import { SignInTimes1790000001650 } from './1790000001650-sign-in-times.js';
import { DueConnections1790000002410 } from './1790000002410-due-connections.js';

/** In the order they are to be applied; append only. */
export const integrationsMigrations: readonly MigrationClass[] = [
  Connections1790000000500,
  ProviderSetup1790000000501,
  ConnectCaller1790000000503,
  ConnectStart1790000000506,
  SharedConsents1790000000507,
  PublishPreparation1790000000508,
  PreparationBounds1790000000509,
  PreparedFiles1790000000510,
  AccountFacts1790000000511,
  NetworkOutages1790000000520,
  NetworkUsage1790000000530,
  GrantsThatEnd1790000000531,
  SignedCallbacks1790000000540,
  SignInTimes1790000001650,
  DueConnections1790000002410,
];
