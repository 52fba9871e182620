import type { FixedClock } from '#libs/clock/testing';
import { networkOf } from '../../src/integrations/networks.js';
import { REDIRECT, type StandInThatFetches, type StandInWithFiles } from './contract-subject.js';
import { MediaHost } from './media-host.js';
import { MemoryFile } from './memory-file.js';
import { aPicture } from './pictures.js';
import { SandboxForTests } from './sandbox.js';
import { makeVideo } from './video-files.js';

interface PostEffect {
  readonly id: string;
  readonly text: string;
  readonly account: { readonly username: string };
  readonly media?: readonly { readonly sha256: string; readonly altText?: string }[];
}

export interface OnFacebook {
  readonly sandbox: SandboxForTests;
  /** Changes settings of the network. */
  readonly set: (settings: object) => Promise<void>;
  /** Effects of the network; of one text when it is given. */
  readonly effects: (kind: string, text?: string) => Promise<PostEffect[]>;
}

export type StandInOfFacebook = StandInThatFetches & OnFacebook;

const PART_BYTES = 40_000;
const plain = { title: null, link: null, target: {}, options: {}, replyTo: null };
const NEXT_PART = { host: 'graph-video', route: 'POST /:version/:page/videos', times: 1 };

/** Facebook as the sandbox simulates it, with a person `acme` and the page `acme.page`; posts have two photos. @param clock of the sandbox */
export async function standInOfFacebook(clock?: FixedClock): Promise<StandInOfFacebook> {
  const pictures = [
    await aPicture(400, 400, { format: 'jpeg' }),
    await aPicture(400, 400, { format: 'jpeg', seed: 2 }),
  ];
  const base = await onFacebook(clock);
  const host = await MediaHost.start();
  return {
    ...base,
    content: (text) => ({ ...plain, text, mediaIds: ['m1', 'm2'] }),
    files: () => pictures.map((picture, index) => host.file(picture, { mediaId: `m${index + 1}` })),
    fetching: {
      host,
      received: base.received,
      created: async () => (await base.effects('photo.uploaded')).length,
      createdForContent: 2,
    },
    async stop() {
      await base.stop();
      await host.stop();
    },
  };
}

/** The same with posts that have a video. */
export async function standInOfFacebookVideos(clock?: FixedClock): Promise<StandInWithFiles & OnFacebook> {
  const video = await makeVideo({ bytes: 3_000 });
  const base = await onFacebook(clock);
  await base.set({ transferBytes: PART_BYTES, videoProcessingSeconds: 0 });
  return {
    ...base,
    content: (text) => ({ ...plain, text, mediaIds: ['m1'] }),
    files: () => [new MemoryFile(video, { kind: 'video', contentType: 'video/mp4' })],
    media: {
      partBytes: PART_BYTES,
      received: base.received,
      parts: async () => (await base.effects('video.part')).length,
      loseNextPart: async () => void (await base.sandbox.fault({ kind: 'drop-after-effect', ...NEXT_PART })),
      refuseNextPart: async () => {
        const body = JSON.stringify({ error: { code: 352, message: 'No.', type: 'OAuthException' } });
        await base.sandbox.fault({ kind: 'answer-instead', status: 400, body, ...NEXT_PART });
      },
    },
  };
}

async function onFacebook(clock?: FixedClock) {
  const sandbox = await SandboxForTests.start({ SANDBOX_REDIRECT_URIS: REDIRECT }, clock);
  const network = networkOf('facebook');
  const set = (settings: object) => sandbox.configure('facebook', settings);
  const effects = (kind: string, text?: string) =>
    sandbox.ledger(
      `?${new URLSearchParams({ network: 'facebook', kind, ...(text !== undefined && { text }) }).toString()}`,
    ) as Promise<PostEffect[]>;
  await set({ rateLimits: 'off' });
  await sandbox.account('acme', {}, 'facebook');
  return {
    sandbox,
    network,
    set,
    effects,
    environment: (at = sandbox.url) => ({
      FACEBOOK_GRAPH_URL: at === sandbox.url ? `${at}/facebook` : at,
      FACEBOOK_APP_ID: 'sandbox-client',
      FACEBOOK_APP_SECRET: 'sandbox-secret',
    }),
    publishing: 'pages_manage_posts',
    asksAgain: { auth_type: 'rerequest' },
    async allow(authorizationUrl: string) {
      const { searchParams } = await sandbox.allow(authorizationUrl, 'acme');
      return searchParams.get('code') ?? '';
    },
    async endGrants() {
      await sandbox.control('POST', '/facebook/accounts/acme/revoke');
    },
    async loseNextAnswer() {
      await sandbox.fault({ kind: 'drop-after-effect', times: 1 });
    },
    published: async () => (await effects('post.created')).map(({ text }) => text),
    received: async (text: string) =>
      (await effects('post.created', text)).flatMap(({ media = [] }) => media.map(({ sha256 }) => sha256)),
    knowsOfAi: (text: string) => sandbox.knowsOfAi(text),
    refusal: () => ({ error: { message: 'Something odd.', type: 'OAuthException', code: 99_999 } }),
    process: () => undefined,
    stop: () => sandbox.stop(),
  };
}
