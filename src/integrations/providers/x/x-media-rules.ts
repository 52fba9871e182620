import type { MediaKind, RenditionSpec } from '#libs/content';
import type { ContentToCheck } from '../../provider.js';
import { ANIMATION, IMAGE, VIDEO } from './x-media-limits.js';

const SPECS: Readonly<Record<MediaKind, RenditionSpec>> = {
  image: IMAGE,
  animation: ANIMATION,
  video: VIDEO,
};

export const renditions = ({ media }: ContentToCheck): (RenditionSpec | null)[] =>
  media.map(({ kind }) => kind && SPECS[kind]);
