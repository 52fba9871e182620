import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** The same bytes for the same seed. */
function noise(bytes: number, seed: number): Buffer {
  const data = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 32) createHash('sha256').update(`${seed}/${at}`).digest().copy(data, at);
  return data;
}

/** A picture that does not compress: about width × height × 3 bytes as PNG. */
export function aPicture(
  width: number,
  height: number,
  { format = 'png', seed = 1 }: { format?: 'png' | 'jpeg' | 'webp'; seed?: number } = {},
): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  return sharp(noise(width * height * 3, seed), { raw })
    .toFormat(format)
    .toBuffer();
}

/** An animated GIF. */
export function anAnimation(width: number, height: number, frames: number): Promise<Buffer> {
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  return sharp(noise(width * height * frames * 3, 7), { raw })
    .gif({ delay: Array.from({ length: frames }, () => 100), effort: 1 })
    .toBuffer();
}
