import type { InputVideoTrack } from 'mediabunny';
import { h264Picture } from '../../../test/support/video-files.js';
import { shownPicture } from './shown-picture.js';

const shown = (codec: string, description?: Uint8Array) => {
  const track = {
    getCodec: () => codec,
    getDecoderConfig: () => ({ description }),
    getPixelAspectRatio: () => ({ num: 1, den: 1 }),
    getCodedWidth: () => 720,
    getCodedHeight: () => 576,
    getRotation: () => 0,
  };
  return shownPicture(track as unknown as InputVideoTrack);
};
const withFlags = (flags: number) => Buffer.from([1, 1, 0, 0, 0, 0, flags, 0]);

describe('the picture of a track', () => {
  it.each([
    ['hevc', withFlags(0x80), false],
    ['hevc', withFlags(0x40), true],
    ['hevc', withFlags(0xc0), null],
    ['hevc', withFlags(0), null],
    ['hevc', undefined, null],
    ['avc', undefined, null],
    ['vp9', undefined, false],
    ['av1', undefined, false],
    ['prores', undefined, null],
  ])('of %s (%s) has fields: %s', async (codec, description, isInterlaced) => {
    expect(await shown(codec, description)).toMatchObject({ isInterlaced, pixelAspectRatio: 1 });
  });

  it('is as wide as the parameters of H.265 say', async () => {
    const set = '42010101600000030090000003000003001ea014207965959a4932bc11a02000000300200000030321';
    const record = Buffer.concat([Buffer.alloc(22), Buffer.from(`01a100010029${set}`, 'hex')]);
    expect(await shown('hevc', record)).toMatchObject({
      width: 1_047,
      height: 576,
      pixelAspectRatio: 1.4545,
    });
  });

  it('is as coded where the parameters of H.264 are cut or forged', async () => {
    const { description } = h264Picture({ ratio: [16, 11], isInterlaced: true });
    const whole = Buffer.from(description as Uint8Array);
    const unknown = { width: 720, height: 576, pixelAspectRatio: 1, isInterlaced: null };
    for (let end = 0; end < 20; end += 1) expect(await shown('avc', whole.subarray(0, end))).toEqual(unknown);
    for (const byte of [0, 0xff]) {
      const forged = Buffer.concat([whole.subarray(0, 12), Buffer.alloc(40, byte)]);
      await expect(shown('avc', forged)).resolves.toMatchObject({ height: 576 });
    }
    expect(await shown('avc', whole)).toMatchObject({ width: 1_047, isInterlaced: true });
  });
});
