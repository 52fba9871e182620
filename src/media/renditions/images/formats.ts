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
