import type { MigrationClass } from '#libs/database';
import { Posts1790001000600 } from './1790001000600-posts.js';

/** In the order of application; append only. */
export const postsMigrations: readonly MigrationClass[] = [Posts1790001000600];
