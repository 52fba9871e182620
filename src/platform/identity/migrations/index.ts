import type { MigrationClass } from '#libs/database';
import { Identity1790001000300 } from './1790001000300-identity.js';

/** In the order of application; append only. */
export const identityMigrations: readonly MigrationClass[] = [Identity1790001000300];
