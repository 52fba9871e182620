import type { MigrationClass } from '#libs/database';
import { PostView1790000000600 } from './1790000000600-post-view.js';

/** In the order they are to be applied; append only. */
export const postsMigrations: readonly MigrationClass[] = [PostView1790000000600];
