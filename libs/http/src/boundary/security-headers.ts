import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Helmet for answers that are data: nothing in them may be run, framed or guessed at. */
const profile = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  // About pages and downloads in browsers of old; said of JSON they are only bytes.
  dnsPrefetchControl: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
});

/** What helmet would set on every response, asked once: none of it depends on the request. */
export const API_HEADERS: readonly (readonly [string, string])[] = headersOf(profile);

function headersOf(middleware: typeof profile): [string, string][] {
  const request = { method: 'GET', headers: {} } as IncomingMessage;
  const response = new ServerResponse(request);
  middleware(request, response, (error) => {
    if (error) throw error as Error;
  });
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
