import { renditionsBy } from '../media-rules.js';
import { ANIMATION, IMAGE, VIDEO } from './x-media-limits.js';

export const renditions = renditionsBy({ image: IMAGE, animation: ANIMATION, video: VIDEO });
