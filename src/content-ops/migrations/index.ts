import type { MigrationClass } from '#libs/database';
import { ContentOps1790001000700 } from './1790001000700-content-ops.js';

/** In the order of application; append only. */
export const contentOpsMigrations: readonly MigrationClass[] = [ContentOps1790001000700];
