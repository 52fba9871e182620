import type { Finding, ImageSpec, MediaFacts, Platform } from '#libs/content';
import { type ContentToCheck, renditionsOf } from '../../integrations/index.js';
import { type Fit, fitImage } from '../../media/index.js';

/** The size does not depend on the focus point. */
const CENTRE = { x: 0.5, y: 0.5 };
/** Whole pixels rarely have a ratio exactly. */
const ROUNDING_PIXELS = 1;

/** Pictures of which the network shows a part only, with the size that they get. Pure. */
export function cropFindings(platform: Platform, content: ContentToCheck): Finding[] {
  if (content.media.length === 0) return [];
  return renditionsOf(platform, content).flatMap((spec, index) => {
    const message = spec?.kind === 'image' ? cutOf(content.media[index], spec) : null;
    if (message === null) return [];
    return [
      { ruleId: `${platform}.media.cropped`, severity: 'warning', message, pointer: `#/mediaIds/${index}` },
    ];
  });
}

/** @returns null when nothing is cut, or the size is not known */
function cutOf(file: MediaFacts | undefined, spec: ImageSpec): string | null {
  if (!file?.width || !file.height) return null;
  const fit = fitImage({ width: file.width, height: file.height }, spec, CENTRE);
  const side = fit && cutSide(fit);
  if (!fit || !side) return null;
  const { scaled, region } = fit;
  const percent = Math.max(1, Math.round(100 * (1 - region[side] / scaled[side])));
  return `The picture of ${file.width} × ${file.height} pixels becomes one of ${region.width} × ${region.height} pixels: ${percent} % of its ${side} is cut off, around its focus point. Crop it to choose what is shown.`;
}

const cutSide = ({ scaled, region }: Fit): 'width' | 'height' | undefined =>
  (['width', 'height'] as const).find((side) => scaled[side] - region[side] > ROUNDING_PIXELS);
