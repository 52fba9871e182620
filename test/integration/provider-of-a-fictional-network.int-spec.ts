import { randomBytes } from 'node:crypto';
import { fictional } from '../support/fictional/fictional.network.js';
import { FictionalServer } from '../support/fictional/fictional-server.js';
import type { StandInWithFiles } from '../support/contract-subject.js';
import { PART_BYTES } from '../support/fictional/fictional.provider.js';
import { mediaContract } from '../support/media-contract.js';
import { MemoryFile } from '../support/memory-file.js';
import { providerContract } from '../support/provider-contract.js';

const plain = { title: null, link: null, mediaIds: [], target: {}, options: {}, replyTo: null };

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
    refusal: () => ({ error: 'odd' }),
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

providerContract('a fictional network', standInOfFictional);
mediaContract('a fictional network', standInOfFictional);
