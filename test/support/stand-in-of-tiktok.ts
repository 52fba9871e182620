import type { FixedClock } from '#libs/clock/testing';
import { networkOf } from '../../src/integrations/networks.js';
import { PART_BYTES } from '../../src/integrations/providers/tiktok/tiktok-upload-plan.js';
import { REDIRECT, type StandInWithFiles } from './contract-subject.js';
import { MemoryFile } from './memory-file.js';
import { SandboxForTests } from './sandbox.js';
import { makeVideo, steadyPictures } from './video-files.js';

interface PostEffect {
  readonly text: string;
  readonly media: readonly { readonly sha256: string }[];
}

const PART = { host: 'upload', route: 'PUT /video/', times: 1 };

/** TikTok as the sandbox simulates it. */
export interface StandInOfTikTok extends StandInWithFiles {
  readonly sandbox: SandboxForTests;
}

/** Two parts before the last one. */
const aVideo = (): Promise<Buffer> =>
  makeVideo({ pictures: steadyPictures(0, 1), bytes: Math.ceil((3.2 * PART_BYTES) / 25), soundFrom: null });

/** @param clock of the sandbox */
export async function standInOfTikTok(clock?: FixedClock): Promise<StandInOfTikTok> {
  const video = await aVideo();
  const sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: REDIRECT }, clock);
  const settings = { rateLimits: 'off', postsPerDay: 10_000, processingSeconds: 0 };
  await sandbox.control('PUT', '/tiktok/settings', settings);
  await sandbox.account('acme', {}, 'tiktok');
  const tiktok = networkOf('tiktok');
  const posts = async (): Promise<PostEffect[]> =>
    (await sandbox.ledger('?network=tiktok&kind=post.created')) as PostEffect[];
  return {
    sandbox,
    network: tiktok,
    environment: (at = sandbox.url) => ({
      TIKTOK_API_URL: at === sandbox.url ? `${at}/tiktok` : at,
      TIKTOK_CLIENT_KEY: 'sandbox-client',
      TIKTOK_CLIENT_SECRET: 'sandbox-secret',
    }),
    publishing: 'video.publish',
    asksAgain: { disable_auto_auth: '1' },
    async allow(authorizationUrl) {
      const { searchParams } = await sandbox.allow(authorizationUrl, 'acme');
      return searchParams.get('code') ?? '';
    },
    async endGrants() {
      await sandbox.control('POST', '/tiktok/accounts/acme/revoke');
    },
    async loseNextAnswer() {
      await sandbox.fault({ kind: 'drop-after-effect', network: 'tiktok', times: 1 });
    },
    published: async () => (await posts()).map(({ text }) => text),
    knowsOfAi: (text: string) => sandbox.knowsOfAi(text),
    refusal: () => ({ error: { code: 'something_odd', message: 'Something odd.', log_id: '1' } }),
    process: () => undefined,
    content: (text) => ({
      text,
      title: null,
      link: null,
      mediaIds: ['m1'],
      target: {},
      options: { privacy: 'public' },
      replyTo: null,
    }),
    files: () => [new MemoryFile(video, { kind: 'video', contentType: 'video/mp4' })],
    media: {
      // The last part has the rest too.
      partBytes: 2 * PART_BYTES,
      received: async (text) =>
        (await posts())
          .filter((post) => post.text === text)
          .flatMap(({ media }) => media.map(({ sha256 }) => sha256)),
      parts: async () => (await sandbox.ledger('?network=tiktok&kind=media.appended')).length,
      loseNextPart: async () => void (await sandbox.fault({ kind: 'drop-after-effect', ...PART })),
      refuseNextPart: async () =>
        void (await sandbox.fault({ kind: 'answer-instead', status: 413, ...PART })),
    },
    stop: () => sandbox.stop(),
  };
}
