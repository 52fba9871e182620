import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';

/** A box of an MP4 file. */
export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

/** Offset of the content of the first box of a type, found by its name. */
export function contentOf(file: Buffer, type: string): number {
  const at = file.indexOf(type, 0, 'latin1');
  if (at < 4) throw new Error(`The file has no box ${type}.`);
  return at + 4;
}

/** Overwrites bytes of the content of the first box of a type. */
export function forge(file: Buffer, type: string, offset: number, bytes: string | number): Buffer {
  const forged = Buffer.from(file);
  const at = contentOf(file, type) + offset;
  if (typeof bytes === 'number') forged.writeUInt32BE(bytes, at);
  else forged.write(bytes, at, 'latin1');
  return forged;
}

/** Changes the size that a box states. */
export function resize(file: Buffer, type: string, size: number): Buffer {
  const forged = Buffer.from(file);
  forged.writeUInt32BE(size, contentOf(file, type) - 8);
  return forged;
}

/** A video in fragments, of which the first names 2³² samples without sizes and durations of their own: its reader fills its heap. */
export const endless = (fragments: Buffer): Buffer =>
  forge(forge(fragments, 'trun', 0, 0), 'trun', 4, 0xffffffff);

/** The file type box of a brand, and data that no decoder reads. */
export const fileOfBrand = (brand: string): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1${brand}`, 'latin1')),
    box('mdat', Buffer.alloc(64)),
  ]);

/**
 * VP9 of 320 × 240 pixels; the pictures are no real ones. Two seconds by default. `isLive`: as a browser records it, without a duration.
 * @param file `bytes` of each picture
 */
export async function makeWebm({ isLive = false, pictures = 50, bytes = 300 } = {}): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat({ appendOnly: isLive }), target });
  const video = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(video);
  await output.start();
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 240 };
  for (let index = 0; index < pictures; index += 1) {
    const packet = new EncodedPacket(
      Buffer.alloc(bytes, index + 1),
      index % 25 ? 'delta' : 'key',
      index / 25,
      1 / 25,
    );
    await video.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer as ArrayBuffer);
}
