import sharp, { type Sharp } from 'sharp';
import type { ImageFormat, ImageSpec } from '#libs/content';
import { type Fit, fitImage, type Size } from '../domain/fit.js';
import { CannotRender, type RenderedFile, type RenderInput } from '../domain/render.types.js';
import { marked } from '../../marks/write-mark.js';
import { encode, formatsToReduce, formatsToTry, lowerQualities } from './encode.js';
import { readAll, save } from './picture-files.js';

/** Pixels of a source. Below sharp's default of 268 million: a 16 000 × 16 000 PNG may have 31 KB. */
const MAX_SOURCE_PIXELS = 100_000_000;
/** Each step needs at most this many encodings: one, or a binary search over qualities. */
const SHRINK_STEPS = [1, 0.75, 0.5, 0.35, 0.25];

interface Picture extends Size {
  readonly format: string;
  readonly hasAlpha: boolean;
}

interface Encoded {
  readonly data: Buffer;
  readonly format: ImageFormat;
  readonly size: Size;
}

/**
 * An image that fits: a copy of a source that is to stay as it is, else without any metadata but the mark of the source, in sRGB with 8 bits. The first attempt decodes, scales and encodes in one pass. Only when
 * its result has too many bytes, the source is decoded a second time, and lower qualities, other formats and smaller sizes are tried on
 * its pixels.
 */
export async function renderImage(input: RenderInput, spec: ImageSpec): Promise<RenderedFile> {
  const bytes = await readAll(input.source);
  const picture = await describe(bytes);
  const { folder, aiMark } = input;
  if (input.isCopied) {
    const { width, height } = picture;
    return save(bytes, { format: picture.format as ImageFormat, width, height, durationMs: null }, folder);
  }
  const fit = fitImage(picture, spec, input.focus);
  if (fit === null) throw tooNarrow(spec);
  const formats = formatsToTry(spec.formats, picture);
  const first = formats[0] as ImageFormat;
  const whole = await encode(open(bytes, fit), { format: first, hasAlpha: picture.hasAlpha });
  const { data, format, size } =
    whole.length <= spec.maxBytes
      ? { data: whole, format: first, size: fit.region }
      : await reduce({ bytes, picture, formats: formatsToReduce(formats), input, spec });
  return save(marked(data, `image/${format}`, aiMark), { ...size, format, durationMs: null }, folder);
}

/** Only the first frame of an animation is read. What the decoder complains of without losing data was judged by inspection. */
const source = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_SOURCE_PIXELS, failOn: 'error' });

async function describe(bytes: Buffer): Promise<Picture> {
  const { autoOrient, format, hasAlpha } = await source(bytes).metadata();
  return { width: autoOrient.width, height: autoOrient.height, format, hasAlpha };
}

/** Orientation, size and crop. sharp removes all metadata and converts to sRGB by itself. */
function open(bytes: Buffer, { scaled, region }: Fit): Sharp {
  return source(bytes)
    .autoOrient()
    .resize({ ...scaled, fit: 'fill' })
    .extract(region)
    .toColourspace('srgb');
}

interface Reduction {
  readonly bytes: Buffer;
  readonly picture: Picture;
  readonly formats: readonly ImageFormat[];
  readonly input: RenderInput;
  readonly spec: ImageSpec;
}

/** The largest size at which a format and a quality have few enough bytes. */
async function reduce({ bytes, picture, formats, input, spec }: Reduction): Promise<Encoded> {
  for (const shrink of SHRINK_STEPS) {
    const fit = fitImage(picture, spec, input.focus, shrink);
    if (fit === null) break;
    const { data: raw, info } = await open(bytes, fit).raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const pixels = () => sharp(raw, { raw: { width, height, channels } });
    for (const format of formats) {
      const data = await lowerQualities(pixels, { format, hasAlpha: picture.hasAlpha }, spec.maxBytes);
      if (data !== null) return { data, format, size: { width, height } };
    }
  }
  throw new CannotRender(
    'cannot_fit',
    `The image has more than ${input.spec.maxBytes} bytes even at a quarter of its size. Use a simpler image.`,
  );
}

const tooNarrow = ({ ratio }: ImageSpec) =>
  new CannotRender(
    'cannot_fit',
    `No part of the image has a ratio of width to height from ${ratio?.min} to ${ratio?.max}. Use a larger image.`,
  );
