import type { MigrationClass } from '#libs/database';
import { Ai1790001000950 } from './1790001000950-ai.js';

/** In the order of application; append only. */
export const aiMigrations: readonly MigrationClass[] = [Ai1790001000950];
