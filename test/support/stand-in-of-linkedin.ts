import type { FixedClock } from '#libs/clock/testing';
import { networkOf } from '../../src/integrations/networks.js';
import { REDIRECT, type StandInWithFiles } from './contract-subject.js';
import { MemoryFile } from './memory-file.js';
import { SandboxForTests } from './sandbox.js';
import { makeVideo, steadyPictures } from './video-files.js';

interface PostEffect {
  readonly media: readonly { readonly sha256: string }[];
}

/** Of a video (learn.microsoft.com, videos-api). */
const PART_BYTES = 4_194_304;
const NEXT_PART = { route: 'PUT /dms-uploads/:id/uploaded-video/:part', times: 1 };
const plain = { title: null, link: null, mediaIds: [], target: {}, options: {}, replyTo: null };
/** A member of the sandbox with a role in two organizations. */
const MEMBER = 'jonas-weber';

/** LinkedIn as the sandbox simulates it. */
export interface StandInOfLinkedIn extends StandInWithFiles {
  readonly sandbox: SandboxForTests;
  /** Changes settings of the network. */
  readonly set: (settings: object) => Promise<void>;
}

/** @param clock of the sandbox */
export async function standInOfLinkedIn(
  platform: 'linkedin' | 'linkedin-company',
  clock?: FixedClock,
): Promise<StandInOfLinkedIn> {
  // More than one part.
  const video = await makeVideo({ pictures: steadyPictures(0, 4), bytes: 60_000 });
  const sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: REDIRECT }, clock);
  const set = (settings: object) => sandbox.configure('linkedin', settings);
  await set({ refreshTokens: 'on', mediaProcessingSeconds: 0, postsPerDay: 10_000 });
  const network = networkOf(platform);
  return {
    sandbox,
    set,
    network,
    environment: (at = sandbox.url) => ({
      LINKEDIN_API_URL: at === sandbox.url ? `${at}/linkedin` : at,
      LINKEDIN_CLIENT_ID: 'sandbox-client',
      LINKEDIN_CLIENT_SECRET: 'sandbox-secret',
    }),
    publishing: platform === 'linkedin' ? 'w_member_social' : 'w_organization_social',
    async allow(authorizationUrl) {
      const { searchParams } = await sandbox.allow(authorizationUrl, MEMBER);
      return searchParams.get('code') ?? '';
    },
    async endGrants() {
      await sandbox.control('POST', `/linkedin/accounts/${MEMBER}/revoke`);
    },
    async loseNextAnswer() {
      await sandbox.fault({ kind: 'drop-after-effect', times: 1 });
    },
    evidence: platform === 'linkedin' ? 'duplicate' : 'search',
    published: async () =>
      ((await sandbox.ledger('?kind=post.created')) as { text: string }[]).map(({ text }) => text),
    knowsOfAi: (text: string) => sandbox.knowsOfAi(text),
    refusal: (status) => ({ message: 'Something odd.', serviceErrorCode: 1, status }),
    process: () => undefined,
    content: (text) => ({ ...plain, text, mediaIds: ['m1'] }),
    files: () => [new MemoryFile(video, { kind: 'video', contentType: 'video/mp4' })],
    media: {
      partBytes: PART_BYTES,
      received: async (text) =>
        ((await sandbox.ledger(`?${new URLSearchParams({ text }).toString()}`)) as PostEffect[]).flatMap(
          ({ media }) => media.map(({ sha256 }) => sha256),
        ),
      parts: async () => (await sandbox.ledger('?kind=media.appended')).length,
      loseNextPart: async () => void (await sandbox.fault({ kind: 'drop-after-effect', ...NEXT_PART })),
      refuseNextPart: async () =>
        void (await sandbox.fault({ kind: 'answer-instead', status: 413, ...NEXT_PART })),
    },
    stop: () => sandbox.stop(),
  };
}
