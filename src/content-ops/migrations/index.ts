import type { MigrationClass } from '#libs/database';
import { Audit1790000000700 } from './1790000000700-audit.js';
import { DailyRollup1790000000701 } from './1790000000701-daily-rollup.js';
import { AuditByTime1790000000702 } from './1790000000702-audit-by-time.js';
import { AuditByFilter1790000001901 } from './1790000001901-audit-by-filter.js';

/** In the order of application; append only. */
export const contentOpsMigrations: readonly MigrationClass[] = [
  Audit1790000000700,
  DailyRollup1790000000701,
  AuditByTime1790000000702,
  AuditByFilter1790000001901,
];
