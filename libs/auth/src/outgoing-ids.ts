import { currentContext } from '#libs/http';
import type { Credentials } from '#libs/platform-client';

/** What identity's client is told about the running request besides its credentials. */
export function outgoingIds(): Pick<Credentials, 'requestId' | 'traceparent' | 'client'> {
  const { requestId, traceparent, client } = currentContext() ?? {};
  return { requestId: requestId ?? undefined, traceparent, client };
}
