import type { MigrationClass } from '#libs/database';
import { dueWorkMigrations } from '#libs/due-work';
import { eventStoreMigrations } from '#libs/event-store';
import { httpMigrations } from '#libs/http';
import { uploadsMigrations } from '#libs/uploads';
import { aiMigrations } from '../ai/migrations/index.js';
import { brandsMigrations } from '../brands/migrations/index.js';
import { contactsMigrations } from '../contacts/migrations/index.js';
import { contentOpsMigrations } from '../content-ops/migrations/index.js';
import { integrationsMigrations } from '../integrations/migrations/index.js';
import { mediaMigrations } from '../media/migrations/index.js';
import { pipelinesMigrations } from '../pipelines/migrations/index.js';
import { postsMigrations } from '../posts/migrations/index.js';

/** The migrations of the business API and its worker. */
export const businessMigrations: readonly MigrationClass[] = [
  ...eventStoreMigrations,
  ...dueWorkMigrations,
  ...httpMigrations,
  ...uploadsMigrations,
  ...brandsMigrations,
  ...mediaMigrations,
  ...integrationsMigrations,
  ...postsMigrations,
  ...aiMigrations,
  ...contentOpsMigrations,
  ...contactsMigrations,
  ...pipelinesMigrations,
];
