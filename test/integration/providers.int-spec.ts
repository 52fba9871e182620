import { randomBytes } from 'node:crypto';
import type { Platform } from '#libs/content';
import { NETWORKS } from '../../src/integrations/networks.js';
import { fictional } from '../support/fictional/fictional.network.js';
import { FictionalServer } from '../support/fictional/fictional-server.js';
import type { StandIn, StandInWithFiles } from '../support/contract-subject.js';
import { PART_BYTES } from '../support/fictional/fictional.provider.js';
import { mediaContract } from '../support/media-contract.js';
import { MemoryFile } from '../support/memory-file.js';
import { providerContract } from '../support/provider-contract.js';
import { SandboxForTests } from '../support/sandbox.js';

const plain = { title: null, link: null, mediaIds: [], target: {}, replyTo: null };

async function standInOfX(): Promise<StandIn> {
  const sandbox = await SandboxForTests.start({
    SANDBOX_REDIRECT_URIS: 'http://127.0.0.1:3000/api/integrations/network/callback',
  });
  await sandbox.account('acme');
  const x = NETWORKS.find(({ platform }) => platform === ('x' as Platform));
  if (!x) throw new Error('X is not registered.');
  return {
    network: x,
    environment: (at = sandbox.url) => ({
      X_API_URL: at === sandbox.url ? `${at}/x` : at,
      X_LEGACY_API_URL: at === sandbox.url ? `${at}/x-legacy` : at,
      X_AUTHORIZE_URL: `${sandbox.url}/x-web/i/oauth2/authorize`,
      X_CLIENT_ID: 'sandbox-client',
      X_CLIENT_SECRET: 'sandbox-secret',
    }),
    async allow(authorizationUrl) {
      const { searchParams, pathname } = new URL(authorizationUrl);
      const form = new URLSearchParams([...searchParams, ['decision', 'authorize'], ['username', 'acme']]);
      const { headers } = await sandbox.call('POST', pathname, { body: form });
      return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
    async endGrants() {
      await sandbox.control('POST', '/x/accounts/acme/revoke');
    },
    async loseNextAnswer() {
      await sandbox.fault({ kind: 'drop-after-effect', times: 1 });
    },
    published: async () =>
      ((await sandbox.ledger('?kind=post.created')) as { text: string }[]).map(({ text }) => text),
    process: () => undefined,
    content: (text) => ({ ...plain, text }),
    files: () => [],
    stop: () => sandbox.stop(),
  };
}

async function standInOfFictional(): Promise<StandInWithFiles> {
  const picture = randomBytes(3 * PART_BYTES - 1);
  const server = await FictionalServer.start();
  return {
    network: fictional,
    environment: (at = server.url) => ({ FICTIONAL_API_URL: at }),
    allow: (url) =>
      Promise.resolve(new URLSearchParams(server.allow(url, 'ada').split('?')[1]).get('code') ?? ''),
    endGrants: () => Promise.resolve(server.endGrants()),
    loseNextAnswer: () => Promise.resolve(void server.next.set('POST /posts', 'hang up')),
    published: () => Promise.resolve(server.posts.map(({ text }) => text)),
    process: () => server.process(),
    content: (text) => ({ ...plain, text, mediaIds: ['m1'] }),
    files: () => [new MemoryFile(picture, { contentType: 'image/png' })],
    media: {
      partBytes: PART_BYTES,
      received: (text) =>
        Promise.resolve(server.posts.filter((post) => post.text === text).map(({ hash }) => hash ?? '')),
      parts: () => Promise.resolve(server.countOf('PUT /put/')),
      loseNextPart: () => Promise.resolve(void server.next.set('PUT /put/', 'hang up')),
      refuseNextPart: () =>
        Promise.resolve(void server.next.set('PUT /put/', { status: 413, body: { error: 'too-large' } })),
    },
    stop: () => server.stop(),
  };
}

providerContract('X', standInOfX);
providerContract('a fictional network', standInOfFictional);
mediaContract('a fictional network', standInOfFictional);

it('is passed by the provider of every network that can be connected', () => {
  expect(NETWORKS.flatMap(({ platform, connector }) => (connector ? [platform] : []))).toEqual(['x']);
});
