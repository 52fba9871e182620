import { provideConfig } from '#libs/config';
import { PrepareRenditionsHandler } from './commands/prepare-renditions.js';
import { ListRenditionsHandler } from './queries/list-renditions.js';
import { RenditionsConfig } from './renditions.config.js';
import { UnneededRenditionsSweep } from './sweeps/unneeded-renditions.sweep.js';
import { RenditionClaims } from './worker/rendition-claims.store.js';
import { RenditionResults } from './worker/rendition-results.js';

/** Messages, for the API and the worker. */
export const renditionMessages = [PrepareRenditionsHandler, ListRenditionsHandler];

/** What makes renditions and removes old ones; in workers only. */
export const renditionWorkers = [
  provideConfig(RenditionsConfig),
  RenditionClaims,
  RenditionResults,
  UnneededRenditionsSweep,
];
