import type { MigrationClass } from '#libs/database';
import { Gateway1790001000350 } from './1790001000350-gateway.js';

/** In the order of application; append only. */
export const gatewayMigrations: readonly MigrationClass[] = [Gateway1790001000350];
