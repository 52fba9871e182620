import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import { digest } from '../kit/state/digests.js';
import type { Caller } from './members.js';
import { boundsOf, type LinkedInUpload, partName } from './linkedin-records.js';
import type { LinkedIn } from './linkedin.js';
import { denied, invalid, notFound, unauthorized } from './problems.js';
import { completed, recorded } from './uploads.js';

/** PUT of the bytes of an image, with the token of the member. Bytes that are sent again replace the former ones. */
export async function putImage(linkedin: LinkedIn, call: Call): Promise<SandboxResponse> {
  const caller = call.bearerToken === null ? undefined : linkedin.callerOf(call);
  if (!caller) return unauthorized('unknown');
  const upload = usable(linkedin, call);
  if (upload?.kind !== 'image') return notFound('The upload');
  if (upload.memberId !== caller.account.id) return denied('dms-uploads');
  if (!call.file || call.file.bytes === 0) return invalid('The request body is empty');
  await linkedin.files.take(call.file.path, upload.id);
  const changed = await completed(linkedin, upload);
  const created = { status: 201, headers: {}, body: '' };
  return recorded(linkedin, call, caller, 'media.appended', changed, created);
}

/** PUT of a part of a video to its signed address. A part that is sent again replaces itself. */
export async function putPart(linkedin: LinkedIn, call: Call): Promise<SandboxResponse> {
  const upload = usable(linkedin, call);
  const part = Number(call.params.part);
  const bounds = upload && boundsOf(upload)[part];
  const caller = upload && beginnerOf(linkedin, upload);
  if (!bounds || !caller) return notFound('The upload');
  if (call.file?.bytes !== bounds.last - bounds.first + 1) return invalid('The part has another length');
  await linkedin.files.take(call.file.path, partName(upload.id, part));
  const name = `/ambry-video/signedId/${digest(`${upload.id} ${part}`).slice(0, 40)}`;
  const { parts } = linkedin.uploads.find(upload.id) ?? upload;
  const changed = linkedin.uploads.change(upload.id, { parts: { ...parts, [part]: name } });
  const stored = { status: 200, headers: { etag: name }, body: '' };
  return recorded(linkedin, call, caller, 'media.appended', changed, stored);
}

/** The upload of the address, while it can be used. */
function usable({ uploads, now }: LinkedIn, call: Call): LinkedInUpload | undefined {
  const upload = uploads.find(call.params.id ?? '');
  return upload && upload.expiresAt > now ? upload : undefined;
}

/** Signed addresses carry no token: the member who began the upload. */
function beginnerOf({ accounts, grants }: LinkedIn, { memberId }: LinkedInUpload): Caller | undefined {
  const [account, [grant]] = [accounts.find(memberId), grants.of(memberId)];
  return account && grant && { account, grant };
}
