import { currentContext } from '#libs/http';
import type { Credentials } from '#libs/platform-client';

/** Those of the running request, so that the logs and traces of both services can be laid side by side. */
export function idsToPassOn(): Pick<Credentials, 'requestId' | 'traceparent'> {
  const { requestId, traceparent } = currentContext() ?? {};
  return { requestId: requestId ?? undefined, traceparent };
}
