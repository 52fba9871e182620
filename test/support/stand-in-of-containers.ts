import type { FixedClock } from '#libs/clock/testing';
import type { Environment } from '#libs/config';
import { networkOf } from '../../src/integrations/networks.js';
import { NOTHING, REDIRECT, type StandInThatFetches } from './contract-subject.js';
import { MediaHost } from './media-host.js';
import { aPicture } from './pictures.js';
import { SandboxForTests } from './sandbox.js';

interface PostEffect {
  readonly text: string;
  readonly media?: readonly { readonly sha256: string }[];
}

/** A network that publishes containers, as the sandbox simulates it. */
export interface StandInOfContainers extends StandInThatFetches {
  readonly sandbox: SandboxForTests;
  readonly host: MediaHost;
  /** Changes settings of the network. */
  readonly set: (settings: object) => Promise<void>;
  /** Effects of the network; of one text when it is given. */
  readonly effects: (kind: string, text?: string) => Promise<PostEffect[]>;
}

interface Differences {
  readonly platform: string;
  /** @param at of the interface; the page of the consent stays at the sandbox */
  readonly environment: (at: string, sandbox: string) => Environment;
}

const PUBLISHING: Readonly<Record<string, string>> = {
  instagram: 'instagram_business_content_publish',
  threads: 'threads_content_publish',
};
const DAY_MS = 86_400_000;
const plain = { title: null, link: null, target: {}, options: {}, replyTo: null };

/** @param clock of the sandbox */
export async function standInOfContainers(
  { platform, environment }: Differences,
  clock?: FixedClock,
): Promise<StandInOfContainers> {
  const pictures = [
    await aPicture(400, 400, { format: 'jpeg' }),
    await aPicture(400, 400, { format: 'jpeg', seed: 2 }),
  ];
  const sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: REDIRECT }, clock);
  const host = await MediaHost.start();
  const network = networkOf(platform);
  const set = (settings: object) => sandbox.configure(platform, settings);
  const effects = (kind: string, text?: string) =>
    sandbox.ledger(
      `?${new URLSearchParams({ network: platform, kind, ...(text !== undefined && { text }) }).toString()}`,
    ) as Promise<PostEffect[]>;
  await set({ refreshAfterSeconds: 0, quotaTotal: 100_000 });
  await sandbox.control('POST', `/${platform}/accounts`, { username: 'acme' });
  return {
    sandbox,
    host,
    set,
    effects,
    network,
    environment: (at = sandbox.url) => environment(at, sandbox.url),
    publishing: PUBLISHING[platform],
    async allow(authorizationUrl) {
      const { searchParams } = await sandbox.allow(authorizationUrl, 'acme');
      // As a client that keeps the end of the address.
      return searchParams.get('code') ?? '';
    },
    async endGrants() {
      await sandbox.control('POST', `/${platform}/accounts/acme/revoke`);
    },
    async loseNextAnswer() {
      await sandbox.fault({ kind: 'drop-after-effect', times: 1 });
    },
    published: async () => (await effects('post.created')).map(({ text }) => text),
    knowsOfAi: (text: string) => sandbox.knowsOfAi(text),
    refusal: () => ({ error: { message: 'Something odd.', type: 'OAuthException', code: 99_999 } }),
    process: () => undefined,
    content: (text) => ({ ...plain, text, mediaIds: ['m1', 'm2'] }),
    files: () => pictures.map((picture, index) => host.file(picture, { mediaId: `m${index + 1}` })),
    prepared: { ...NOTHING, ids: { container: '1' } },
    renewable: (grant) => ({
      ...grant,
      expiresAt: grant.expiresAt && new Date(Date.parse(grant.expiresAt) - 2 * DAY_MS).toISOString(),
    }),
    fetching: {
      host,
      received: async (text) =>
        (await effects('post.created', text)).flatMap(({ media = [] }) => media.map(({ sha256 }) => sha256)),
      created: async () => (await effects('container.created')).length,
      createdForContent: 3,
    },
    async stop() {
      await sandbox.stop();
      await host.stop();
    },
  };
}
