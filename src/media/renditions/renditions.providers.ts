import { PrepareRenditionsHandler } from './commands/prepare-renditions.js';
import { GetRenditionsHandler } from './queries/get-renditions.js';
import { RenditionFiles } from './queries/rendition-files.js';
import { UnneededRenditionsSweep } from './worker/unneeded-renditions.sweep.js';
import { MakeDueRenditions } from './worker/make-due-renditions.worker.js';
import { RenditionClaims } from './worker/rendition-claims.store.js';
import { RenditionMaker } from './worker/rendition-maker.js';
import { RenditionMetrics } from './worker/rendition.metrics.js';
import { RenditionResults } from './worker/rendition-results.js';

/** Messages, for the API and the worker. */
export const renditionMessages = [PrepareRenditionsHandler, GetRenditionsHandler, RenditionFiles];

/** What makes renditions and removes old ones; in workers only. */
export const renditionWorkers = [
  RenditionClaims,
  RenditionMaker,
  RenditionMetrics,
  RenditionResults,
  MakeDueRenditions,
  UnneededRenditionsSweep,
];
