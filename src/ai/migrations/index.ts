import type { MigrationClass } from '#libs/database';
import { AiSchema1790000000950 } from './1790000000950-ai-schema.js';

/** In the order of application; append only. */
export const aiMigrations: readonly MigrationClass[] = [AiSchema1790000000950];
