import { randomUUID } from 'node:crypto';
import { CONTACT_OPERATIONS } from './contact-operations.js';
import { CONTENT_OPERATIONS } from './content-operations.js';
import { get, type Operations, type Work } from './member.js';

const connect = '/api/integrations/x/connect';

const BRANDS: Operations = {
  listBrands: get('/api/brands'),
  getBrand: (member) => member.ask('GET', `/api/brands/${member.brandId}`),
  updateBrand: (member) => member.ask('PUT', `/api/brands/${member.brandId}`, { name: 'Acme' }),
  // Refused, because the member is in one organization only: what it reads before does not depend on that.
  transferBrand: (member) =>
    member.attempt('POST', `/api/brands/${member.brandId}/transfer-organization`, {
      organizationId: randomUUID(),
    }),
};

const INTEGRATIONS: Operations = {
  startConnect: (member) => member.attempt('GET', `${connect}?brandId=${member.brandId}`),
  createConnect: (member) => member.attempt('POST', `${connect}?brandId=${member.brandId}`),
  showConnectStart: (member) => member.attempt('GET', `${connect}/start?startToken=${randomUUID()}`),
  confirmConnectStart: (member) =>
    member.attempt('POST', `${connect}/start`, new URLSearchParams({ startToken: randomUUID() })),
  disconnectAccount: async (member) =>
    member.ask('DELETE', `/api/integrations/${(await member.connection('x')).id}`),
  acceptDeauthorization: async (member) => {
    const { accountId } = await member.connection('facebook');
    return member.ask('POST', '/api/integrations/facebook/deauthorize', member.signed(accountId));
  },
  deletePersonalData: async (member) => {
    const { accountId } = await member.connection('facebook');
    return member.ask('POST', '/api/integrations/facebook/data-deletion', member.signed(accountId));
  },
  // After those that leave rows.
  listIntegrations: get('/api/integrations'),
  getDataDeletion: (member) => member.attempt('GET', `/api/integrations/data-deletion/${randomUUID()}`),
};

const AI: Operations = {
  generateImage: (member) =>
    member.attempt('POST', '/api/ai/generate-image', { brandId: member.brandId, prompt: 'A lighthouse' }),
  listTrends: (member) => member.attempt('GET', `/api/trends?brandId=${member.brandId}`),
  getTrendFeeds: (member) => member.ask('GET', `/api/trends/feeds?brandId=${member.brandId}`),
  setTrendFeeds: (member) => member.ask('PUT', `/api/trends/feeds?brandId=${member.brandId}`, { feeds: [] }),
  suggestTrend: async (member) =>
    member.ask('POST', `/api/trends/${await member.trend()}/suggestion`, { platform: 'x' }),
};

/** Every operation of the business API, measured with few rows and with many. */
export const OPERATIONS: Operations = {
  ...CONTENT_OPERATIONS,
  ...BRANDS,
  ...INTEGRATIONS,
  ...AI,
  ...CONTACT_OPERATIONS,
};

const OF_THE_PROCESS = 'It reads no row of an organization.';

/** Operations that are not measured, and why. */
export const NOT_MEASURED: Readonly<Record<string, string>> = {
  getApiMetadata: OF_THE_PROCESS,
  getHealth: OF_THE_PROCESS,
  getLiveness: OF_THE_PROCESS,
  getReadiness: OF_THE_PROCESS,
  completeConnect:
    'It asks a network. A sign-in is found and deleted by its key, accounts are stored by theirs.',
  endPlatformHold: 'Operators only; there is at most one row for each network.',
  createBrand: 'Each brand makes the lists of its organization larger. It writes what updateBrand writes.',
};

export interface Bounded {
  /** Blocks, however many rows there are. */
  readonly most: number;
  readonly why: string;
}

const COUNTED =
  'It counts up to 1 000 rows, each in a block of its own at worst; few rows are fewer than that.';

const ESTIMATED =
  'PostgreSQL takes a word that it does not know for that of every fiftieth file; among many files it is cheaper to compare the newest 2 000 first.';

/** Operations that may read more than 1.5 times as many blocks, up to a number, and why. */
export const BOUNDED: Readonly<Record<string, Bounded>> = {
  'listPosts: with their total': { most: 1_500, why: COUNTED },
  'listPosts: failed ones and their total': { most: 1_500, why: COUNTED },
  'listMedia: with their total': { most: 1_500, why: COUNTED },
  'listMedia: of a rare word': { most: 400, why: ESTIMATED },
  'listMedia: of a word that none has': { most: 400, why: ESTIMATED },
  'listContacts: with their total': { most: 1_500, why: COUNTED },
  getBoard: {
    most: 25_000,
    why: 'It counts up to 1 000 cards of each stage, and looks each up among the deleted contacts.',
  },
  getPublishingWidget: { most: 4_500, why: `${COUNTED} It counts four states.` },
};

/** What is asked, by its name: the operation, and what is asked of it. */
export const QUESTIONS: ReadonlyMap<string, Work> = new Map(
  Object.entries(OPERATIONS).flatMap(([id, work]): [string, Work][] =>
    typeof work === 'function'
      ? [[id, work]]
      : Object.entries(work).map(([what, each]): [string, Work] => [`${id}: ${what}`, each]),
  ),
);
