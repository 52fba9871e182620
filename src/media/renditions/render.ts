import { isMarked } from '#libs/content';
import { MAX_MARK_BYTES } from '../marks/write-mark.js';
import { renderAnimation } from './images/render-animation.js';
import type { RangedSource } from '../domain/ranged-source.js';
import { CannotRender, type RenderInput, type RenderOutput } from './domain/render.types.js';
import { renderImage } from './images/render-image.js';
import { renderVideo } from './videos/render-video.js';

/**
 * Makes a file that fits a specification. Parses bytes of users: runs in a child process with limited memory.
 * @throws what `source.read` throws, and errors of the file system: not definite, to be tried again
 */
export async function render(input: RenderInput): Promise<RenderOutput> {
  const { source, failure } = watched(input.source);
  try {
    return storable(await renderKind({ ...input, source }));
  } catch (error) {
    if (failure.error) throw failure.error;
    if (isOfSystem(error)) throw error;
    if (error instanceof CannotRender) return { kind: 'failed', code: error.code, message: error.message };
    return {
      kind: 'failed',
      code: 'not_readable',
      message: `The file cannot be read: ${String(error)}. Export it again.`,
    };
  }
}

/** PostgreSQL's `int`, in which sizes and durations are stored. */
const MAX_NUMBER = 2 ** 31 - 1;

/** Forged times give any number. */
function storable(output: RenderOutput): RenderOutput {
  if (output.kind === 'failed') return output;
  const numbers = [output.width, output.height, output.durationMs ?? 0];
  if (numbers.every((each) => Number.isInteger(each) && each >= 0 && each <= MAX_NUMBER)) return output;
  throw new CannotRender('not_readable', 'The file states an impossible size or duration. Export it again.');
}

function renderKind(input: RenderInput): Promise<RenderOutput> {
  const { kind, spec: wanted, aiMark } = input;
  const spec = isMarked(aiMark) ? { ...wanted, maxBytes: wanted.maxBytes - MAX_MARK_BYTES } : wanted;
  // The first frame of an animation is an image.
  if (spec.kind === 'image' && kind !== 'video') return renderImage(input, spec);
  if (spec.kind === 'animation' && kind === 'animation') return renderAnimation(input, spec);
  if (spec.kind === 'video' && kind === 'video') return renderVideo(input, spec);
  throw new CannotRender('kind_does_not_fit', `The network takes ${spec.kind}s here. Choose another file.`);
}

/** Decoders wrap errors of the source in their own. */
function watched(source: RangedSource): { source: RangedSource; failure: { error?: Error } } {
  const failure: { error?: Error } = {};
  const read = async (start: number, end: number) => {
    try {
      return await source.read(start, end);
    } catch (error) {
      failure.error = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  };
  return { source: { bytes: source.bytes, read }, failure };
}

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
