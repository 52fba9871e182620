import type { MigrationClass } from '#libs/database';
import { EventLog1790000000000 } from './1790000000000-event-log.js';
import { Reactions1790000000001 } from './1790000000001-reactions.js';
import { UnreadableEvents1790000000002 } from './1790000000002-unreadable-events.js';

/** In the order of application; append only. */
export const eventStoreMigrations: readonly MigrationClass[] = [
  EventLog1790000000000,
  Reactions1790000000001,
  UnreadableEvents1790000000002,
];
