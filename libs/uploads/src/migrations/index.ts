import type { MigrationClass } from '#libs/database';
import { StorageUse1790001000150 } from './1790001000150-storage-use.js';

/** In the order of application; append only. */
export const uploadsMigrations: readonly MigrationClass[] = [StorageUse1790001000150];
