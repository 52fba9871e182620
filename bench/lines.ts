import { appendBatch } from './lines/append-batch.js';
import { appendInTransaction } from './lines/append-in-transaction.js';
import { appendOne } from './lines/append-one.js';
import { dueAtOnce } from './lines/due-at-once.js';
import { postsWaiting } from './lines/posts-waiting.js';
import { reactionLag } from './lines/reaction-lag.js';
import { rebuild } from './lines/rebuild.js';
import { start } from './lines/start.js';
import type { Line } from './support/line.js';

/** In the order they are run and printed. A new line: one file in lines/, one entry here. */
export const lines: readonly Line[] = [
  appendOne,
  appendInTransaction,
  appendBatch,
  reactionLag,
  rebuild,
  dueAtOnce,
  postsWaiting,
  start,
];
