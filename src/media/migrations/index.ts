import type { MigrationClass } from '#libs/database';
import { Media1790001000450 } from './1790001000450-media.js';

/** In the order of application; append only. */
export const mediaMigrations: readonly MigrationClass[] = [Media1790001000450];
