import { createHash } from 'node:crypto';
import type { PostContent } from './post.events.js';
import { canonicalContent } from './writing.js';

/** SHA-256, hexadecimal, of exactly what is sent. An approval and every publish attempt carry it. */
export const fingerprintOf = (content: PostContent): string =>
  createHash('sha256').update(canonicalContent(content)).digest('hex');
