import type { MigrationClass } from '#libs/database';
import { Leases1790000000100 } from './1790000000100-leases.js';

/** In the order of application; append only. */
export const dueWorkMigrations: readonly MigrationClass[] = [Leases1790000000100];
