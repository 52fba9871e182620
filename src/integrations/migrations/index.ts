import type { MigrationClass } from '#libs/database';
import { Connections1790000000500 } from './1790000000500-connections.js';
import { ProviderSetup1790000000501 } from './1790000000501-provider-setup.js';
import { ConnectCaller1790000000503 } from './1790000000503-connect-caller.js';
import { ConnectStart1790000000506 } from './1790000000506-connect-start.js';

/** In the order they are to be applied; append only. */
export const integrationsMigrations: readonly MigrationClass[] = [
  Connections1790000000500,
  ProviderSetup1790000000501,
  ConnectCaller1790000000503,
  ConnectStart1790000000506,
];
