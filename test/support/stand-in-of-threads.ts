import type { FixedClock } from '#libs/clock/testing';
import { standInOfContainers, type StandInOfContainers } from './stand-in-of-containers.js';

/** @param clock of the sandbox */
export const standInOfThreads = (clock?: FixedClock): Promise<StandInOfContainers> =>
  standInOfContainers(
    {
      platform: 'threads',
      environment: (at, sandbox) => ({
        THREADS_GRAPH_URL: at === sandbox ? `${at}/threads` : at,
        THREADS_APP_ID: 'sandbox-client',
        THREADS_APP_SECRET: 'sandbox-secret',
      }),
    },
    clock,
  );
