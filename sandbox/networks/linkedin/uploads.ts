import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { type MediaContent, MediaIsRefused } from '../kit/media/media-content.js';
import { readImage, readVideo } from '../kit/media/read-media.js';
import { type Caller, type Handle, mayActAs } from './members.js';
import { effectMediaOf } from './posts.js';
import {
  boundsOf,
  type LinkedInUpload,
  mediaUrnOf,
  partName,
  stateOf,
  uploadIdIn,
  urnOf,
} from './linkedin-records.js';
import type { LinkedIn } from './linkedin.js';
import { denied, invalid, notFound } from './problems.js';

const IMAGE = {
  formats: ['jpeg', 'png', 'gif'],
  maxBytes: 50_000_000,
  maxPixels: 36_152_319,
  animation: { maxFrames: 250, maxPixelsOfFrames: 300_000_000 },
} as const;
/** Of the help page "Video specifications". */
const VIDEO = {
  containers: ['mp4'],
  codecs: ['avc', 'hevc', 'vp8', 'vp9', 'av1'],
  maxBytes: 500_000_000,
  minMs: 3_000,
  maxMs: 1_800_000,
  minSide: 144,
  maxSide: 4_096,
  minRatio: 1 / 2.4,
  maxRatio: 2.4,
} as const;

/** All bytes are there: they are decoded. What cannot be shown fails its processing. */
export async function completed(linkedin: LinkedIn, upload: LinkedInUpload): Promise<LinkedInUpload> {
  const { mediaProcessing, mediaProcessingSeconds } = linkedin.settings;
  const content = mediaProcessing === 'fails' ? null : await contentOf(linkedin, upload);
  const until = linkedin.now + mediaProcessingSeconds * 1000;
  return linkedin.uploads.change(upload.id, { complete: { content, until } });
}

async function contentOf({ files }: LinkedIn, { id, kind }: LinkedInUpload): Promise<MediaContent | null> {
  try {
    return await (kind === 'image' ? readImage(files.path(id), IMAGE) : readVideo(files.path(id), VIDEO));
  } catch (error) {
    if (error instanceof MediaIsRefused) return null;
    throw error;
  }
}

const MAX_VIDEO_BYTES = 5_000_000_000;

type Json = Readonly<Record<string, unknown>>;

/** POST /rest/images and /rest/videos with an action. */
export const fileAction =
  (kind: LinkedInUpload['kind']): Handle =>
  (linkedin, call, caller) => {
    const body = call.json?.value;
    if (typeof body !== 'object' || body === null) return invalid('The request body is no JSON object');
    const action = call.query.get('action');
    if (action === 'initializeUpload')
      return initialize(linkedin, call, caller, kind, memberOf(body, 'initializeUploadRequest'));
    return action === 'finalizeUpload' && kind === 'video'
      ? finalize(linkedin, call, caller, memberOf(body, 'finalizeUploadRequest'))
      : invalid('Unknown action');
  };

function initialize(
  linkedin: LinkedIn,
  call: Call,
  caller: Caller,
  kind: LinkedInUpload['kind'],
  { owner, fileSizeBytes }: Json,
): SandboxResponse {
  const account = linkedin.byUrn(String(owner));
  if (!account || !mayActAs(caller, account)) return denied(`${kind}s.ACTION-initializeUpload`);
  const totalBytes = kind === 'image' ? null : Number(fileSizeBytes);
  if (totalBytes !== null && !(totalBytes > 0 && totalBytes <= MAX_VIDEO_BYTES))
    return invalid('fileSizeBytes is invalid');
  const { uploadExpirySeconds, partBytes } = linkedin.settings;
  const expiresAt = linkedin.now + uploadExpirySeconds * 1000;
  const upload = linkedin.uploads.keep({
    id: linkedin.ids.next(),
    ownerId: account.id,
    memberId: caller.account.id,
    kind,
    totalBytes,
    partBytes,
    expiresAt,
    parts: {},
    complete: null,
  });
  const response = json(200, { value: view(linkedin, upload) });
  return recorded(linkedin, call, caller, 'media.initialized', upload, response);
}

function view({ baseUrl }: LinkedIn, upload: LinkedInUpload): Json {
  const base = `${baseUrl}/linkedin/dms-uploads/${upload.id}`;
  const urn = mediaUrnOf(upload);
  if (upload.kind === 'image')
    return { image: urn, uploadUrl: `${base}/uploaded-image`, uploadUrlExpiresAt: upload.expiresAt };
  const uploadInstructions = boundsOf(upload).map(({ first, last }, part) => ({
    uploadUrl: `${base}/uploaded-video/${part}`,
    firstByte: first,
    lastByte: last,
  }));
  return { video: urn, uploadToken: '', uploadInstructions, uploadUrlsExpireAt: upload.expiresAt };
}

/** Joins the parts in the order of their names. Of a repeat the parts are gone, and it succeeds. */
async function finalize(
  linkedin: LinkedIn,
  call: Call,
  caller: Caller,
  { video, uploadedPartIds }: Json,
): Promise<SandboxResponse> {
  const id = uploadIdIn(String(video));
  return linkedin.uploads.inTurn(id, async () => {
    const upload = linkedin.uploads.find(id);
    const owner = upload && linkedin.accounts.find(upload.ownerId);
    if (!upload || !owner) return notFound('The video');
    if (!mayActAs(caller, owner)) return denied('videos.ACTION-finalizeUpload');
    if (upload.complete !== null) return { status: 200, headers: {}, body: '' };
    const names = boundsOf(upload).map((_, part) => upload.parts[part]);
    if (!Array.isArray(uploadedPartIds) || names.join() !== uploadedPartIds.join())
      return invalid('uploadedPartIds do not match the uploaded parts');
    const files = names.map((_, part) => partName(id, part));
    await linkedin.files.join(id, files);
    const changed = await completed(linkedin, upload);
    linkedin.files.remove(...files);
    const response = { status: 200, headers: {}, body: '' };
    return recorded(linkedin, call, caller, 'media.finalized', changed, response);
  });
}

/** GET /rest/images/{urn} and /rest/videos/{urn} */
export const fileState: Handle = (linkedin, call, caller) => {
  const upload = linkedin.uploads.find(uploadIdIn(call.params.urn ?? ''));
  const owner = upload && linkedin.accounts.find(upload.ownerId);
  if (!upload || !owner) return notFound('The media');
  const isHidden = owner.kind === 'member' && linkedin.settings.memberFiles === 'hidden';
  if (isHidden || !mayActAs(caller, owner)) return denied(`${upload.kind}s.GET`);
  const status = stateOf(upload, linkedin.now);
  return json(200, { id: mediaUrnOf(upload), owner: urnOf(owner), status });
};

export function recorded(
  linkedin: LinkedIn,
  call: Call,
  caller: Caller,
  kind: string,
  upload: LinkedInUpload,
  response: SandboxResponse,
): SandboxResponse {
  const media = [effectMediaOf(upload)];
  return linkedin.report(call, caller, { kind, id: mediaUrnOf(upload), media }, response);
}

const memberOf = (body: object, name: string): Json => {
  const value = (body as Json)[name];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
};
