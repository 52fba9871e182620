import { forge } from '../../../../test/support/hostile-files/videos.js';
import { makeVideo } from '../../../../test/support/video-files.js';
import { readIsoLayout } from './iso-layout.js';

const isForged = async (file: Buffer) => {
  const source = {
    bytes: file.length,
    read: (start: number, end: number) => Promise.resolve(new Uint8Array(file.subarray(start, end))),
    stream: () => (async function* () {})(),
  };
  return (await readIsoLayout(source))?.isForged;
};

describe('the sample tables of a video', () => {
  it.each(['mp4', 'mov', 'mp4-fragmented'] as const)('of a whole %s are right', async (format) => {
    expect(await isForged(await makeVideo({ format }))).toBe(false);
  });

  it.each([
    ['samples per chunk', 'stsc', 12],
    ['samples of a duration', 'stts', 8],
  ])('are forged when they name 2³² %s', async (_, type, offset) => {
    for (const count of [0xffffffff, 200_000])
      expect(await isForged(forge(await makeVideo(), type, offset, count))).toBe(true);
  });
});
