import type { MigrationClass } from '#libs/database';
import { EventLog1790001000000 } from './1790001000000-event-log.js';

/** In the order of application; append only. */
export const eventStoreMigrations: readonly MigrationClass[] = [EventLog1790001000000];
