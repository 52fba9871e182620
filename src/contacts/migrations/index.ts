import type { MigrationClass } from '#libs/database';
import { Contacts1790001000800 } from './1790001000800-contacts.js';

/** In the order of application; append only. */
export const contactsMigrations: readonly MigrationClass[] = [Contacts1790001000800];
