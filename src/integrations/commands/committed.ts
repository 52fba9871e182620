import { inDoubt } from '#libs/content';
import type { CommitCall, CommitResponse } from '../domain/provider-publishing.js';
import type { PublishingProvider } from '../provider.js';

/** A provider that throws may have sent the request before. */
export async function committed(provider: PublishingProvider, call: CommitCall): Promise<CommitResponse> {
  try {
    return await provider.commit(call);
  } catch {
    return { kind: 'unconfirmed', failure: interrupted };
  }
}

export const interrupted = inDoubt('Publishing was interrupted. The post may be live.');
