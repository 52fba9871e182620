import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import sharp from 'sharp';
import { readImage } from './read-media.js';

const LIMITS = { formats: ['png', 'jpeg', 'gif'], maxBytes: 1_000_000 } as const;

describe('a picture that a network receives', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'picture-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(() => jest.restoreAllMocks());

  const picture = () => sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } });
  const read = async (bytes: Buffer) => {
    // The decoder remembers a path.
    const path = join(folder, randomUUID());
    await writeFile(path, bytes);
    return readImage(path, { ...LIMITS, animation: { maxFrames: 10, maxPixelsOfFrames: 10_000_000 } });
  };

  it('is decoded with a limit of time, because the process serves others too', async () => {
    const limited = jest.spyOn(sharp.prototype, 'timeout');
    const png = await picture().png().toBuffer();
    await expect(read(png)).resolves.toMatchObject({ contentType: 'image/png', width: 640, height: 480 });
    expect(limited).toHaveBeenCalledWith({ seconds: expect.any(Number) as number });
  });

  it.each(['png', 'jpeg', 'gif'] as const)('is refused when half of a %s is missing', async (format) => {
    const bytes = await picture().toFormat(format).toBuffer();
    await expect(read(bytes)).resolves.toMatchObject({ contentType: `image/${format}` });
    await expect(read(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({ problem: 'unreadable' });
  });
});
