import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A chunk of a PNG: length, type, content, checksum. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A black PNG of one bit per pixel: a few kilobytes for any size. `rows`: fewer than `height` make it incomplete. */
export function blackPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows), { level: 1 });
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

/** A PNG that begins with an animation control chunk: browsers show it as an animation. */
export function animatedPng(): Buffer {
  const png = blackPng(8, 8);
  const afterHeader = SIGNATURE.length + 25;
  const control = pngChunk('acTL', Buffer.from('0000000200000000', 'hex'));
  return Buffer.concat([png.subarray(0, afterHeader), control, png.subarray(afterHeader)]);
}

/** The same pseudo-random pixels for the same size; noise does not compress. */
export function noise(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0, state = 1; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    pixels[at] = state >> 16;
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

/** Left half red, right half blue, 40 × 20 pixels. */
export const redAndBlue = (): Sharp =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } }).composite([
    { input: { create: { width: 20, height: 20, channels: 3, background: 'blue' } }, left: 20, top: 0 },
  ]);

/** Frames of 16 × 8 pixels, each of another grey, for `delay` milliseconds. */
export function animation(frames: number, delay: number): Sharp {
  const pixels = Buffer.concat(
    Array.from({ length: frames }, (_, index) => Buffer.alloc(16 * 8 * 3, 10 + index * 20)),
  );
  const strip = sharp(pixels, { raw: { width: 16, height: 8 * frames, channels: 3, pageHeight: 8 } });
  return strip.gif({ delay: Array<number>(frames).fill(delay) });
}

/** An EXIF block with a position. */
export const GPS = {
  IFD0: { Copyright: 'PRIVATE-OWNER' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 3230/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 4366/100',
  },
};
