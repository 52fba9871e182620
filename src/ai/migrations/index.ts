import type { MigrationClass } from '#libs/database';
import { AiSchema1790000000950 } from './1790000000950-ai-schema.js';
import { Trends1790000000955 } from './1790000000955-trends.js';
import { TrendAsks1790000000960 } from './1790000000960-trend-asks.js';
import { KeyedImages1790000000965 } from './1790000000965-keyed-images.js';

/** In the order of application; append only. */
export const aiMigrations: readonly MigrationClass[] = [
  AiSchema1790000000950,
  Trends1790000000955,
  TrendAsks1790000000960,
  KeyedImages1790000000965,
];
