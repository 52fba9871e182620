import type { EffectMedia } from '../../../ledger/effect.js';
import { type Handled, json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { BodyIsInvalid } from '../api/body-checks.js';
import type { Caller } from '../api/signed-in.js';
import { forbidden, invalidRequest, noSuchMedia } from '../state/problems.js';
import type { X } from '../state/x.js';
import { uploadView } from './upload-view.js';
import type { XUpload } from '../state/x-uploads.js';

export type Handle = (x: X, call: Call, caller: Caller) => Handled;

/** With X's words for a body that is invalid. */
export const answeringInvalidBodies =
  (handle: Handle): Handle =>
  async (x, call, caller) => {
    try {
      return await handle(x, call, caller);
    } catch (error) {
      if (error instanceof BodyIsInvalid) return invalidRequest(error.message);
      throw error;
    }
  };

/** The upload that the call names, if it can still be changed; X's refusal if not. */
export function ownUpload(x: X, id: string, { account }: Caller): XUpload | SandboxResponse {
  const upload = x.uploads.find(id);
  if (!upload || upload.expiresAt <= x.clock.now().getTime()) return noSuchMedia(id);
  return upload.accountId === account.id ? upload : forbidden('not-your-media');
}

export const isRefused = (found: XUpload | SandboxResponse): found is SandboxResponse => 'status' in found;

/** The response with the effect that it reports. */
export function recorded(
  x: X,
  call: Call,
  caller: Caller,
  what: { readonly kind: string; readonly upload: XUpload; readonly media: EffectMedia },
  response: SandboxResponse = json(200, { data: uploadView(x, what.upload) }),
): SandboxResponse {
  const draft = { kind: what.kind, id: what.upload.id, media: [what.media] };
  const { effect, line } = x.effect(call, caller, draft);
  x.journal.append(line);
  return { ...response, effect };
}
