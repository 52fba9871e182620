import type { MigrationClass } from '#libs/database';
import { dueWorkMigrations } from '#libs/due-work';
import { httpMigrations } from '#libs/http';
import { Identity1790001000300 } from './1790001000300-identity.js';

/** In the order of application; append only. */
export const identityMigrations: readonly MigrationClass[] = [
  ...httpMigrations,
  ...dueWorkMigrations,
  Identity1790001000300,
];
