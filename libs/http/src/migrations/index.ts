import type { MigrationClass } from '#libs/database';
import { Requests1790000000200 } from './1790000000200-requests.js';
import { IdsOfAnswers1790000000201 } from './1790000000201-ids-of-answers.js';
import { SubjectOfResponses1790000000202 } from './1790000000202-subject-of-responses.js';
import { ExpiredCounters1790000002400 } from './1790000002400-expired-counters.js';

/** In the order of application; append only. */
export const httpMigrations: readonly MigrationClass[] = [
  Requests1790000000200,
  IdsOfAnswers1790000000201,
  SubjectOfResponses1790000000202,
  ExpiredCounters1790000002400,
];
