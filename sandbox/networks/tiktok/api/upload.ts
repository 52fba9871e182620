import type { Call } from '../../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import { isSame } from '../../kit/state/digests.js';
import { partName, type Publication, receivedBytes, type VideoUpload } from '../state/tiktok-publications.js';
import type { TikTok } from '../state/tiktok.js';
import { decideVideo } from './decide.js';
import type { Caller } from './signed-in.js';

/** The largest last part. */
const MAX_PART_BYTES = 128 * 1_048_576;

/** PUT of one part to the upload address: media-transfer-guide. */
export const uploadRoute = (tiktok: TikTok): Route => ({
  method: 'PUT',
  path: '/video/',
  isFile: true,
  maxBodyBytes: MAX_PART_BYTES,
  handle: (call) =>
    tiktok.publications.inTurn(call.query.get('upload_id') ?? '', () => receive(tiktok, call)),
});

async function receive(tiktok: TikTok, call: Call): Promise<SandboxResponse> {
  const publication = tiktok.publications.find(call.query.get('upload_id') ?? '');
  const upload = publication?.upload;
  const caller = publication && callerOf(tiktok, publication);
  if (!upload || !caller || publication.decision !== null) return problem(404);
  if (!isSame(call.query.get('upload_token') ?? '', upload.token)) return problem(403);
  if (upload.until <= tiktok.clock.now().getTime()) return problem(403);
  const refused = refusedPart(call, upload);
  if (refused !== undefined) return problem(refused);
  const { path = '', bytes = 0 } = call.file ?? {};
  await tiktok.files.take(path, partName(publication.id, upload.received.length));
  const received = [...upload.received, bytes];
  const media = [{ category: 'video', bytes, segment: upload.received.length }];
  const { effect, line } = tiktok.effect(call, caller, { kind: 'media.appended', id: publication.id, media });
  const changed = tiktok.publications.keep({ ...publication, upload: { ...upload, received } }, line);
  const sent = receivedBytes({ ...upload, received });
  const range = { 'content-range': `bytes 0-${sent - 1}/${upload.bytes}` };
  if (sent < upload.bytes) return { ...withHeaders(json(206, {}), range), effect };
  const created = await decideVideo(tiktok, call, caller, changed);
  return { ...withHeaders(json(201, {}), range), effect: created ?? effect };
}

/** The address acts for the account that began the upload; the token of the beginning is not known here. */
function callerOf(tiktok: TikTok, { accountId }: Publication): Caller | undefined {
  const account = tiktok.accounts.find(accountId);
  const [grant] = tiktok.grants.of(accountId);
  return account && grant && { account, grant };
}

function refusedPart({ headers, file }: Call, upload: VideoUpload): number | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  const [start, end] = [Number(first), Number(last) + 1];
  if (total === undefined || Number(total) !== upload.bytes || file?.bytes !== end - start) return 400;
  if (start !== receivedBytes(upload)) return 416;
  const isLast = upload.received.length === upload.parts - 1;
  const expected = isLast ? upload.bytes : start + upload.partBytes;
  return end === expected ? undefined : 400;
}

const problem = (status: number): SandboxResponse => json(status, {});
