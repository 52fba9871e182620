import { randomUUID } from 'node:crypto';
import type { FixedClock } from '#libs/clock/testing';
import { networkOf } from '../../src/integrations/networks.js';
import { LAST_PART_BYTES, PART_BYTES } from '../../src/integrations/providers/youtube/youtube-limits.js';
import { type BootedGateway, bootGateway } from './boot-gateway.js';
import { CALL_MS, REDIRECT, type StandInWithFiles } from './contract-subject.js';
import { MemoryFile } from './memory-file.js';
import { SandboxForTests } from './sandbox.js';
import { makeVideo, steadyPictures } from './video-files.js';

interface VideoEffect {
  readonly text: string;
  readonly media: readonly { readonly sha256: string }[];
}

const PARTS = 'PUT /upload/youtube/v3/videos';

/** YouTube as the sandbox simulates it, behind a provider gateway. */
export interface StandInOfYoutube extends StandInWithFiles {
  readonly sandbox: SandboxForTests;
  readonly gateway: BootedGateway;
}

/** A video that is sent in two parts before the last one. */
export const aLongVideo = (): Promise<Buffer> =>
  makeVideo({ pictures: steadyPictures(0, 2), bytes: Math.ceil((PART_BYTES + 2 * LAST_PART_BYTES) / 50) });

/** @param clock of the sandbox */
export async function standInOfYoutube(clock?: FixedClock): Promise<StandInOfYoutube> {
  const video = await aLongVideo();
  const sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: REDIRECT }, clock);
  const gateway = await bootGateway(`${sandbox.url}/youtube`, {
    NETWORK_TIMEOUT_MS: CALL_MS,
    YOUTUBE_UPLOADS_PER_DAY: '100000',
    YOUTUBE_UNITS_PER_DAY: '100000',
  });
  gateway.identity.hasAllOrganizations = true;
  await sandbox.account('acme', { name: 'Acme Coffee' }, 'youtube');
  const videoOf = (content: Buffer) => new MemoryFile(content, { contentType: 'video/mp4', kind: 'video' });
  const published = async (query = '') =>
    (await sandbox.ledger(`?kind=post.created${query}`)) as VideoEffect[];
  return {
    sandbox,
    gateway,
    network: networkOf('youtube'),
    environment: (at = sandbox.url) => ({
      ...gateway.client,
      YOUTUBE_OAUTH_URL: at === sandbox.url ? `${at}/google-oauth` : at,
      YOUTUBE_CLIENT_ID: 'sandbox-client',
      YOUTUBE_CLIENT_SECRET: 'sandbox-secret',
      // Elsewhere is the gateway: YouTube itself is behind it.
      ...(at !== sandbox.url && { GATEWAY_URL: at }),
    }),
    publishing: 'https://www.googleapis.com/auth/youtube.upload',
    asksAgain: { prompt: 'select_account consent' },
    async allow(authorizationUrl) {
      const { searchParams } = await sandbox.allow(authorizationUrl, 'acme');
      return searchParams.get('code') ?? '';
    },
    async endGrants() {
      await sandbox.control('POST', '/youtube/accounts/acme/revoke');
    },
    async loseNextAnswer() {
      await sandbox.fault({ kind: 'drop-after-effect', times: 1, network: 'youtube' });
    },
    published: async () => (await published()).map(({ text }) => text),
    knowsOfAi: (text: string) => sandbox.knowsOfAi(text),
    refusal: null,
    process: () => undefined,
    content: (text) => ({
      title: 'How we roast',
      text,
      link: null,
      mediaIds: ['m1'],
      target: {},
      options: {},
      replyTo: null,
    }),
    files: () => [videoOf(video)],
    prepared: { ids: { upload: randomUUID() }, addresses: {}, notes: { sent: '0', total: '9' }, ageMs: 0 },
    committedFiles: () => [videoOf(Buffer.from('the video'))],
    media: {
      partBytes: PART_BYTES,
      received: async (text) =>
        (await published(`&${new URLSearchParams({ text }).toString()}`)).flatMap(({ media }) =>
          media.map(({ sha256 }) => sha256),
        ),
      parts: async () => (await sandbox.ledger('?kind=upload.part')).length,
      loseNextPart: async () =>
        void (await sandbox.fault({ kind: 'drop-after-effect', route: PARTS, times: 1 })),
      refuseNextPart: async () =>
        void (await sandbox.fault({ kind: 'answer-instead', status: 413, route: PARTS, times: 1 })),
    },
    async stop() {
      await gateway.close();
      await sandbox.stop();
    },
  };
}
