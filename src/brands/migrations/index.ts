import type { MigrationClass } from '#libs/database';
import { Brands1790001000400 } from './1790001000400-brands.js';

/** In the order of application; append only. */
export const brandsMigrations: readonly MigrationClass[] = [Brands1790001000400];
