import type { MigrationClass } from '#libs/database';
import { dueWorkMigrations } from '#libs/due-work';
import { httpMigrations } from '#libs/http';
import { Gateway1790001000350 } from './1790001000350-gateway.js';

/** In the order of application; append only. */
export const gatewayMigrations: readonly MigrationClass[] = [
  ...httpMigrations,
  ...dueWorkMigrations,
  Gateway1790001000350,
];
