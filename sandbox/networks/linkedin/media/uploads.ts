import type { Call } from '../../../wire/call.js';
import { type Handled, json, type SandboxResponse } from '../../../wire/response.js';
import { effectMediaOf } from '../api/create-post.js';
import { type Caller, mayActAs } from '../api/signed-in.js';
import { urnOf } from '../state/linkedin-accounts.js';
import {
  boundsOf,
  type LinkedInUpload,
  mediaUrnOf,
  partName,
  stateOf,
  uploadIdIn,
} from '../state/linkedin-uploads.js';
import type { LinkedIn } from '../state/linkedin.js';
import { denied, invalid, notFound } from '../state/problems.js';
import { completed } from './complete.js';

const MAX_VIDEO_BYTES = 5_000_000_000;

type Json = Readonly<Record<string, unknown>>;

/** POST /rest/images and /rest/videos with an action. */
export function fileAction(
  linkedin: LinkedIn,
  call: Call,
  caller: Caller,
  kind: LinkedInUpload['kind'],
): Handled {
  const body = call.json?.value;
  if (typeof body !== 'object' || body === null) return invalid('The request body is no JSON object');
  switch (call.query.get('action')) {
    case 'initializeUpload':
      return initialize(linkedin, call, caller, kind, memberOf(body, 'initializeUploadRequest'));
    case 'finalizeUpload':
      return kind === 'video'
        ? finalize(linkedin, call, caller, memberOf(body, 'finalizeUploadRequest'))
        : invalid('Unknown action');
    default:
      return invalid('Unknown action');
  }
}

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
  const expiresAt = linkedin.clock.now().getTime() + uploadExpirySeconds * 1000;
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
  return recorded(
    linkedin,
    call,
    caller,
    'media.initialized',
    upload,
    json(200, { value: view(linkedin, upload) }),
  );
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
export function fileState(linkedin: LinkedIn, call: Call, caller: Caller): SandboxResponse {
  const upload = linkedin.uploads.find(uploadIdIn(call.params.urn ?? ''));
  const owner = upload && linkedin.accounts.find(upload.ownerId);
  if (!upload || !owner) return notFound('The media');
  const isHidden = owner.kind === 'member' && linkedin.settings.memberFiles === 'hidden';
  if (isHidden || !mayActAs(caller, owner)) return denied(`${upload.kind}s.GET`);
  const status = stateOf(upload, linkedin.clock.now().getTime());
  return json(200, { id: mediaUrnOf(upload), owner: urnOf(owner), status });
}

/** The response with the effect that it reports. */
export function recorded(
  linkedin: LinkedIn,
  call: Call,
  caller: Caller,
  kind: string,
  upload: LinkedInUpload,
  response: SandboxResponse,
): SandboxResponse {
  const media = [effectMediaOf(upload)];
  const { effect, line } = linkedin.effect(call, caller, { kind, id: mediaUrnOf(upload), media });
  linkedin.journal.append(line);
  return { ...response, effect };
}

const memberOf = (body: object, name: string): Json => {
  const value = (body as Json)[name];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
};
