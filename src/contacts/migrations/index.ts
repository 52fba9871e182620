import type { MigrationClass } from '#libs/database';
import { Contact1790000000800 } from './1790000000800-contact.js';

/** In the order they are to be applied; append only. */
export const contactsMigrations: readonly MigrationClass[] = [Contact1790000000800];
