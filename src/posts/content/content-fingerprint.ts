import { createHash } from 'node:crypto';
import type { PostContent } from '../domain/post.events.js';
import { canonicalContent } from '../domain/writing.js';

/** SHA-256, hexadecimal, of exactly the fields that are sent. Approvals and publish attempts carry it. */
export const fingerprintOf = (content: PostContent): string =>
  createHash('sha256').update(canonicalContent(content)).digest('hex');
