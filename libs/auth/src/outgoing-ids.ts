import { currentContext } from '#libs/http';
import type { Credentials } from '#libs/platform-client';

/** The ids of the running request, so that the logs and traces of both services can be correlated. */
export function outgoingIds(): Pick<Credentials, 'requestId' | 'traceparent'> {
  const { requestId, traceparent } = currentContext() ?? {};
  return { requestId: requestId ?? undefined, traceparent };
}
