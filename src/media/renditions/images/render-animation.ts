import sharp, { type Sharp } from 'sharp';
import type { AnimationFormat, AnimationSpec } from '#libs/content';
import { scaleWithin, type Size } from '../domain/fit.js';
import { CannotRender, type RenderedFile, type RenderInput } from '../domain/render.types.js';
import { marked } from '../../marks/write-mark.js';
import { readAll, save } from './picture-files.js';

/** width × height × frames of a source: the largest that X accepts. */
const MAX_SOURCE_PIXELS = 300_000_000;
/** Each attempt decodes and encodes all frames. */
const MAX_ATTEMPTS = 5;
const SMALLEST = 0.33;
/** 1 to 10. The default of 7 takes three times as long for a few percent fewer bytes. */
const GIF_EFFORT = 3;

interface Animation extends Size {
  readonly format: string;
  readonly frames: number;
  readonly durationMs: number;
}

/**
 * An animation that fits, without metadata but the mark of the source; frames, delays and the number of loops are kept. Only the size is reduced.
 */
export async function renderAnimation(
  { source, folder, aiMark, spec: { maxBytes } }: RenderInput,
  spec: AnimationSpec,
): Promise<RenderedFile> {
  const bytes = await readAll(source);
  const animation = await describe(bytes);
  const { durationMs } = animation;
  if (animation.frames > spec.maxFrames) throw tooManyFrames(animation, spec);
  const format = spec.formats.find((each) => each === animation.format) ?? spec.formats[0] ?? 'gif';
  for (let attempt = 0, shrink = 1; attempt < MAX_ATTEMPTS && shrink >= SMALLEST; attempt += 1) {
    const size = scaled(animation, spec, shrink);
    const data = await encode(open(bytes).resize({ ...size, fit: 'fill' }), format);
    if (data.length <= spec.maxBytes)
      return save(marked(data, `image/${format}`, aiMark), { ...size, format, durationMs }, folder);
    // Bytes grow with the number of pixels.
    shrink *= Math.min(0.9, 0.97 * Math.sqrt(spec.maxBytes / data.length));
  }
  throw new CannotRender(
    'cannot_fit',
    `The animation has more than ${maxBytes} bytes even at a third of its size. Use a shorter one.`,
  );
}

const open = (bytes: Buffer): Sharp =>
  sharp(bytes, { animated: true, limitInputPixels: MAX_SOURCE_PIXELS }).toColourspace('srgb');

async function describe(bytes: Buffer): Promise<Animation> {
  const { width, height, pageHeight, pages, delay, format } = await open(bytes).metadata();
  const durationMs = (delay ?? []).reduce((sum, each) => sum + each, 0);
  return { width, height: pageHeight ?? height, frames: pages ?? 1, durationMs, format };
}

function scaled({ width, height, frames }: Animation, spec: AnimationSpec, shrink: number): Size {
  const { maxWidth, maxHeight, maxFramePixels } = spec;
  const bounds = { maxWidth, maxHeight, maxPixels: maxFramePixels / frames };
  const scale = shrink * Math.min(1, scaleWithin({ width, height }, bounds));
  const pixels = (side: number) => Math.max(1, Math.floor(side * scale + 1e-6));
  return { width: pixels(width), height: pixels(height) };
}

/** Loop and delays of the source are kept by default. */
const encode = (frames: Sharp, format: AnimationFormat): Promise<Buffer> =>
  (format === 'gif' ? frames.gif({ effort: GIF_EFFORT }) : frames.webp()).toBuffer();

const tooManyFrames = ({ frames }: Animation, { maxFrames }: AnimationSpec) =>
  new CannotRender(
    'cannot_fit',
    `The animation has ${frames} frames; at most ${maxFrames} are accepted. Use a shorter one.`,
  );
