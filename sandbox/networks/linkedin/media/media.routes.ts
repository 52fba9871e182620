import type { Route } from '../../../wire/router.js';
import { versioned } from '../api/signed-in.js';
import type { LinkedIn } from '../state/linkedin.js';
import { putImage, putPart } from './put-bytes.js';
import { fileAction, fileState } from './uploads.js';

const MAX_IMAGE_BYTES = 50_000_000;
const MAX_PART_BYTES = 4_194_304;

export function mediaRoutes(linkedin: LinkedIn): Route[] {
  const of = (kind: 'image' | 'video'): Route[] => [
    versioned(linkedin, 'POST', `/rest/${kind}s`, (call, caller) => fileAction(linkedin, call, caller, kind)),
    versioned(linkedin, 'GET', `/rest/${kind}s/:urn`, (call, caller) => fileState(linkedin, call, caller)),
  ];
  return [
    ...of('image'),
    ...of('video'),
    {
      method: 'PUT',
      path: '/dms-uploads/:id/uploaded-image',
      isFile: true,
      maxBodyBytes: MAX_IMAGE_BYTES,
      handle: (call) => putImage(linkedin, call),
    },
    {
      method: 'PUT',
      path: '/dms-uploads/:id/uploaded-video/:part',
      isFile: true,
      maxBodyBytes: MAX_PART_BYTES,
      handle: (call) => putPart(linkedin, call),
    },
  ];
}
