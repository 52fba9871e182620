import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { ask, type Author, Business } from '../support/business.js';
import { forTheRecord, type Line } from '../support/line.js';
import { compare, type Rate, ratio } from '../support/measure.js';
import { ObjectStore } from '../support/object-store.js';

const CLIENTS = 32;
const CONTENT = randomBytes(16 * 1_024);
const CONTENT_TYPE = 'image/jpeg';
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const PUT = {
  ...{ key: 'bench', contentType: CONTENT_TYPE, length: CONTENT.length, sha256: SHA256 },
  expiresSeconds: 3_600,
};

interface Begun {
  readonly media: { readonly id: string };
  readonly upload: { readonly url: string; readonly headers: Record<string, string> };
}

/** Addresses for uploads over HTTP; and whole uploads of 16 KiB into the embedded store, which runs in the process of the clients. */
export const presignedUploads: Line = {
  name: 'presigned-uploads',
  async run(bench) {
    const store = await ObjectStore.start();
    const business = await Business.open(bench, CLIENTS);
    const clients = new Agent({ connections: CLIENTS });
    try {
      const api = await business.served('src/main.js', CLIENTS, store.environment);
      const author = (worker: number) => business.authors[worker] as Author;
      const begin = async (worker: number) => {
        const { brandId } = author(worker);
        const file = { brandId, fileName: 'picture.jpg', contentType: CONTENT_TYPE };
        const body = { ...file, bytes: CONTENT.length, sha256: SHA256 };
        return JSON.parse(await ask(api, author(worker), 'POST', '/api/media/upload', body)) as Begun;
      };
      const upload = async (worker: number) => {
        const { media, upload } = await begin(worker);
        const put = { method: 'PUT', body: CONTENT, dispatcher: clients } as const;
        const { statusCode, body } = await request(upload.url, { ...put, headers: upload.headers });
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`PUT: ${statusCode} ${text}`);
        await ask(api, author(worker), 'POST', `/api/media/${media.id}/complete`, {});
      };
      const rates = await compare(
        [
          { name: 'sign', work: () => store.storage.presignPut(PUT).then(() => 1) },
          { name: 'begin', work: (worker) => begin(worker).then(() => 1) },
          { name: 'upload', work: (worker) => upload(worker).then(() => 1) },
        ],
        {
          workers: CLIENTS,
          repetitions: bench.repetitions,
          warmUpMs: 1_000 * bench.scale,
          durationMs: 3_000 * bench.scale,
        },
      );
      return [
        forTheRecord({
          what: `presigned uploads over HTTP, caller validated each time, ${CLIENTS} clients`,
          ...withRate(rates, 'begin', 'sign'),
          against: 'the signature alone',
        }),
        forTheRecord({
          what: `whole uploads of 16 KiB: address, PUT, completion, ${CLIENTS} clients`,
          ...withRate(rates, 'upload', 'begin'),
          against: 'the address alone',
        }),
      ];
    } finally {
      await clients.close();
      await business.close();
      await store.stop();
    }
  },
};

function withRate(rates: Map<string, Rate>, ours: string, theirs: string): { ratio: number; note: string } {
  const { ratio: value, note } = ratio(rates, ours, theirs);
  return { ratio: value, note: `${Math.round(rates.get(ours)?.median ?? 0)} per second; ${note}` };
}
