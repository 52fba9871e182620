import type { MigrationClass } from '#libs/database';
import { Pipelines1790001000900 } from './1790001000900-pipelines.js';

/** In the order of application; append only. */
export const pipelinesMigrations: readonly MigrationClass[] = [Pipelines1790001000900];
