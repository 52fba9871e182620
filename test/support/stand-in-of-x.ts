import type { FixedClock } from '#libs/clock/testing';
import { networkOf } from '../../src/integrations/networks.js';
import { SEGMENT_BYTES } from '../../src/integrations/providers/x/x-limits.js';
import { REDIRECT, type StandInWithFiles } from './contract-subject.js';
import { MemoryFile } from './memory-file.js';
import { aPicture } from './pictures.js';
import { SandboxForTests } from './sandbox.js';

interface PostEffect {
  readonly media: readonly { readonly sha256: string }[];
}

const NEXT_PART = { route: 'POST /2/media/upload/:id/append', times: 1 };
const plain = { title: null, link: null, mediaIds: [], target: {}, options: {}, replyTo: null };

/** X as the sandbox simulates it. */
export interface StandInOfX extends StandInWithFiles {
  readonly sandbox: SandboxForTests;
}

/** @param clock of the sandbox */
export async function standInOfX(clock?: FixedClock): Promise<StandInOfX> {
  // More than one segment.
  const picture = await aPicture(1_200, 1_200);
  const sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: REDIRECT }, clock);
  await sandbox.control('PUT', '/x/settings', { rateLimits: 'off' });
  await sandbox.account('acme');
  const x = networkOf('x');
  return {
    sandbox,
    network: x,
    environment: (at = sandbox.url) => ({
      X_API_URL: at === sandbox.url ? `${at}/x` : at,
      X_CLIENT_ID: 'sandbox-client',
      X_CLIENT_SECRET: 'sandbox-secret',
    }),
    publishing: 'tweet.write',
    async allow(authorizationUrl) {
      const { searchParams } = await sandbox.allow(authorizationUrl, 'acme');
      return searchParams.get('code') ?? '';
    },
    async endGrants() {
      await sandbox.control('POST', '/x/accounts/acme/revoke');
    },
    async loseNextAnswer() {
      await sandbox.fault({ kind: 'drop-after-effect', times: 1 });
    },
    published: async () =>
      ((await sandbox.ledger('?kind=post.created')) as { text: string }[]).map(({ text }) => text),
    knowsOfAi: (text: string) => sandbox.knowsOfAi(text),
    refusal: (status) => ({ title: 'Odd', detail: 'Something odd.', type: 'about:blank', status }),
    process: () => undefined,
    content: (text) => ({ ...plain, text, mediaIds: ['m1'] }),
    files: () => [new MemoryFile(picture, { contentType: 'image/png' })],
    media: {
      partBytes: SEGMENT_BYTES,
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
