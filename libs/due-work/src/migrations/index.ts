import type { MigrationClass } from '#libs/database';
import { Leases1790000000100 } from './1790000000100-leases.js';

/** In the order they are to be applied; append only. */
export const dueWorkMigrations: readonly MigrationClass[] = [Leases1790000000100];
