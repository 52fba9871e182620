import type { MigrationClass } from '#libs/database';
import { Requests1790001000200 } from './1790001000200-requests.js';

/** In the order of application; append only. */
export const httpMigrations: readonly MigrationClass[] = [Requests1790001000200];
