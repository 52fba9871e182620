import type { MigrationClass } from '#libs/database';
import { Integrations1790001000500 } from './1790001000500-integrations.js';

/** In the order of application; append only. */
export const integrationsMigrations: readonly MigrationClass[] = [Integrations1790001000500];
