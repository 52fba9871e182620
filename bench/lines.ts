import { allNetworks } from './lines/all-networks.js';
import { appendBatch } from './lines/append-batch.js';
import { appendInTransaction } from './lines/append-in-transaction.js';
import { appendOne } from './lines/append-one.js';
import { board } from './lines/board.js';
import { commandOverHttp } from './lines/command-over-http.js';
import { contactSearch } from './lines/contact-search.js';
import { createAndList } from './lines/create-and-list.js';
import { csvExport } from './lines/csv-export.js';
import { csvImport } from './lines/csv-import.js';
import { dueAtOnce } from './lines/due-at-once.js';
import { gatewayLatency } from './lines/gateway-latency.js';
import { gatewayThroughput } from './lines/gateway-throughput.js';
import { gatewayUsage } from './lines/gateway-usage.js';
import { growth } from './lines/growth.js';
import { mediaInspection } from './lines/media-inspection.js';
import { mediaLibrary } from './lines/media-library.js';
import { postsWaiting } from './lines/posts-waiting.js';
import { presignedUploads } from './lines/presigned-uploads.js';
import { queuePage } from './lines/queue-page.js';
import { reactionLag } from './lines/reaction-lag.js';
import { rebuild } from './lines/rebuild.js';
import { renditions } from './lines/renditions.js';
import { scheduleCommand } from './lines/schedule-command.js';
import { start } from './lines/start.js';
import type { Line } from './support/line.js';

/** In the order of execution. To add a line, add one file in lines/ and one entry here. */
export const lines: readonly Line[] = [
  appendOne,
  appendInTransaction,
  appendBatch,
  scheduleCommand,
  commandOverHttp,
  createAndList,
  queuePage,
  presignedUploads,
  mediaInspection,
  reactionLag,
  rebuild,
  dueAtOnce,
  allNetworks,
  postsWaiting,
  contactSearch,
  mediaLibrary,
  board,
  growth,
  csvImport,
  csvExport,
  renditions,
  gatewayLatency,
  gatewayThroughput,
  gatewayUsage,
  start,
];
