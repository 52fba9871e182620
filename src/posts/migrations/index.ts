import type { MigrationClass } from '#libs/database';
import { PostView1790000000600 } from './1790000000600-post-view.js';
import { PublishedUnder1790000000601 } from './1790000000601-published-under.js';
import { PostsBeside1790000000602 } from './1790000000602-posts-beside.js';
import { PostsByStatus1790000000603 } from './1790000000603-posts-by-status.js';
import { DueParts1790000000605 } from './1790000000605-due-parts.js';
import { UnconfirmedOfBrand1790000000610 } from './1790000000610-unconfirmed-of-brand.js';
import { DatabaseHistory1790000000611 } from './1790000000611-database-history.js';
import { PostsByEachFilter1790000000612 } from './1790000000612-posts-by-each-filter.js';
import { HeldPosts1790000000620 } from './1790000000620-held-posts.js';
import { HeldByAttempt1790000000621 } from './1790000000621-held-by-attempt.js';
import { AttemptChecks1790000000630 } from './1790000000630-attempt-checks.js';
import { DueOfNetworks1790000001700 } from './1790000001700-due-of-networks.js';
import { NeighbouringPosts1790000001900 } from './1790000001900-neighbouring-posts.js';

/** In the order they are to be applied; append only. */
export const postsMigrations: readonly MigrationClass[] = [
  PostView1790000000600,
  PublishedUnder1790000000601,
  PostsBeside1790000000602,
  PostsByStatus1790000000603,
  DueParts1790000000605,
  UnconfirmedOfBrand1790000000610,
  DatabaseHistory1790000000611,
  PostsByEachFilter1790000000612,
  HeldPosts1790000000620,
  HeldByAttempt1790000000621,
  AttemptChecks1790000000630,
  DueOfNetworks1790000001700,
  NeighbouringPosts1790000001900,
];
