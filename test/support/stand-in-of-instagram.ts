import type { FixedClock } from '#libs/clock/testing';
import { standInOfContainers, type StandInOfContainers } from './stand-in-of-containers.js';

/** @param clock of the sandbox */
export const standInOfInstagram = (clock?: FixedClock): Promise<StandInOfContainers> =>
  standInOfContainers(
    {
      platform: 'instagram',
      environment: (at, sandbox) => ({
        INSTAGRAM_GRAPH_URL: at === sandbox ? `${at}/instagram` : at,
        INSTAGRAM_APP_ID: 'sandbox-client',
        INSTAGRAM_APP_SECRET: 'sandbox-secret',
      }),
    },
    clock,
  );
