import type { Route } from '../../../wire/router.js';
import { signedIn } from '../api/signed-in.js';
import type { X } from '../state/x.js';
import { appendSegment, finalizeUpload, initializeUpload, uploadStatus } from './chunked-upload.js';
import { describeMedia, uploadWhole } from './single-upload.js';
import { answeringInvalidBodies, type Handle } from './upload.js';

/** A segment of 5 MB as base64, or a GIF of 15 MB in one call. */
const MAX_BODY_BYTES = 16 * 1_048_576;
const WRITE = ['media.write'];

/** Media uploads on the API hosts. */
export function mediaRoutes(x: X): Route[] {
  const route = (method: Route['method'], path: string, handle: Handle): Route =>
    signedIn(x, {
      method,
      path,
      scopes: WRITE,
      maxBodyBytes: MAX_BODY_BYTES,
      handle: (call, caller) => answeringInvalidBodies(handle)(x, call, caller),
    });
  return [
    route('POST', '/2/media/upload', uploadWhole),
    route('GET', '/2/media/upload', uploadStatus),
    route('POST', '/2/media/upload/initialize', initializeUpload),
    route('POST', '/2/media/upload/:id/append', appendSegment),
    route('POST', '/2/media/upload/:id/finalize', finalizeUpload),
    route('POST', '/2/media/metadata', describeMedia),
  ];
}
