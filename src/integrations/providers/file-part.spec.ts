import type { DeliveryFile } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import { MemoryFile } from '../../../test/support/memory-file.js';
import { commitUploadResponseOf, FilePart } from './file-part.js';
import type { ResponseReader } from './network-responses.js';

const BYTES = Buffer.alloc(10, 7);
const anything = { kind: 'image', contentType: 'image/png' } as const;

const calling: ResponseReader = {
  displayName: 'Network',
  readingsIn: () => [],
  isOwnError: () => true,
  classify: () => {
    throw new Error('The network answered nothing.');
  },
};

/** A file whose store sends these chunks, whatever range it is asked for. */
const aFileOf = (...chunks: (Buffer | Error)[]): DeliveryFile =>
  Object.assign(new MemoryFile(BYTES, anything), {
    open: async function* () {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk;
        yield await Promise.resolve(chunk);
      }
    },
  });

async function readAll(part: FilePart): Promise<void> {
  for await (const chunk of part.read()) expect(chunk.length).toBeGreaterThan(0);
}

describe('a part of a file that is sent', () => {
  it.each([
    ['ends too early', aFileOf(BYTES.subarray(0, 4))],
    ['fails', aFileOf(BYTES.subarray(0, 4), new Error('The store is away.'))],
    ['has too many bytes', aFileOf(Buffer.alloc(11))],
  ])('has a problem of its own when its store %s', async (_, file) => {
    const part = new FilePart(file, 0, BYTES.length);
    await expect(readAll(part)).rejects.toThrow();
    expect(part.problem).toMatchObject({ failure: { code: 'media_unreadable' } });
    expect(part.isCut).toBe(true);
  });

  it('has none when the connection that it is written to ends', async () => {
    const part = new FilePart(aFileOf(BYTES.subarray(0, 4), BYTES.subarray(4)), 0, BYTES.length);
    const reading = part.read();
    await reading.next();
    // As a stream ends its source.
    await expect(reading.throw(new Error('ECONNRESET'))).rejects.toThrow('ECONNRESET');
    expect(part.problem).toBeNull();
  });

  it.each([
    ['more bytes follow', aFileOf(BYTES, Buffer.alloc(1))],
    ['the store fails', aFileOf(BYTES, new Error('The store is away.'))],
  ])('is not cut when all of its bytes were written and %s: the network may have them', async (_, file) => {
    const part = new FilePart(file, 0, BYTES.length);
    await expect(readAll(part)).rejects.toThrow();
    expect(part.isCut).toBe(false);
    const lost: OutboundResponse = { kind: 'no-answer', reason: 'ECONNRESET' };
    expect(commitUploadResponseOf(calling, part, lost, () => null).kind).toBe('unconfirmed');
  });
});
