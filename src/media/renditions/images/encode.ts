import type { Sharp } from 'sharp';
import type { ImageFormat } from '#libs/content';

interface Source {
  /** As sharp names it. */
  readonly format: string;
  readonly hasAlpha: boolean;
}

/**
 * The formats of a specification in the order in which they are tried: the format of the source if it is among them, else one with
 * alpha for a source with alpha, else a lossy one. A source with alpha loses it only when no format that has it is allowed.
 */
export function formatsToTry(allowed: readonly ImageFormat[], source: Source): ImageFormat[] {
  const withAlpha = allowed.filter((format) => format !== 'jpeg');
  const usable = source.hasAlpha && withAlpha.length > 0 ? withAlpha : allowed;
  const kept = usable.filter((format) => format === source.format);
  return [...new Set([...kept, ...(source.hasAlpha ? usable : lossyFirst(usable))])];
}

/** The formats for a result with fewer bytes: PNG only when no lossy format is possible, because it loses most of the colours. */
export function formatsToReduce(formats: readonly ImageFormat[]): readonly ImageFormat[] {
  const lossy = formats.filter((format) => format !== 'png');
  return lossy.length > 0 ? lossy : formats;
}

const lossyFirst = (formats: readonly ImageFormat[]): ImageFormat[] =>
  (['jpeg', 'webp', 'png'] as const).filter((format) => formats.includes(format));

export interface Encoding {
  readonly format: ImageFormat;
  readonly hasAlpha: boolean;
  /** 1 to 100. Of PNG: below 100 the colours are reduced to a palette of 256. */
  readonly quality?: number;
}

/** First quality of an image. 82 of JPEG is visually the same as the source at usual sizes; WebP's scale is similar. */
const QUALITY: Readonly<Record<ImageFormat, number>> = { jpeg: 82, webp: 82, png: 100 };
/** Below, blocks are visible: a smaller size looks better. */
const WORST = 45;
const WHITE = '#ffffff';

/** Alpha is flattened on white when the format has none: sharp's default is black. */
export function encode(picture: Sharp, { format, hasAlpha, quality }: Encoding): Promise<Buffer> {
  const value = quality ?? QUALITY[format];
  switch (format) {
    case 'jpeg':
      return (hasAlpha ? picture.flatten({ background: WHITE }) : picture)
        .jpeg({ quality: value })
        .toBuffer();
    case 'webp':
      return picture.webp({ quality: value }).toBuffer();
    case 'png':
      return picture.png(value < 100 ? { palette: true, quality: value } : {}).toBuffer();
  }
}

/**
 * The highest quality whose result is at most `maxBytes`, by a binary search in steps of about 5 (at most five encodings).
 * @param pixels opens the decoded picture once more
 * @returns null when the worst accepted quality has more bytes
 */
export async function lowerQualities(
  pixels: () => Sharp,
  encoding: Encoding,
  maxBytes: number,
): Promise<Buffer | null> {
  const best = await encode(pixels(), encoding);
  if (best.length <= maxBytes) return best;
  // The size of a PNG hardly depends on the quality of its palette.
  if (encoding.format === 'png')
    return within(await encode(pixels(), { ...encoding, quality: 90 }), maxBytes);
  let found = within(await encode(pixels(), { ...encoding, quality: WORST }), maxBytes);
  if (found === null) return null;
  for (let low = WORST, high = QUALITY[encoding.format]; high - low > 6;) {
    const quality = Math.round((low + high) / 2);
    const data = within(await encode(pixels(), { ...encoding, quality }), maxBytes);
    if (data === null) high = quality;
    else [low, found] = [quality, data];
  }
  return found;
}

const within = (data: Buffer, maxBytes: number): Buffer | null => (data.length <= maxBytes ? data : null);
