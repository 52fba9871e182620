import type { MigrationClass } from '#libs/database';
import { Leases1790001000100 } from './1790001000100-leases.js';

/** In the order of application; append only. */
export const dueWorkMigrations: readonly MigrationClass[] = [Leases1790001000100];
