import { type IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Helmet for responses that are data: no scripts, no frames, no content sniffing. */
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
  // For pages and downloads in old browsers; useless for JSON.
  dnsPrefetchControl: false,
  ieNoOpen: false,
  originAgentCluster: false,
  permittedCrossDomainPolicies: false,
  xssFilter: false,
});

/** The headers that helmet sets, computed once: none depends on the request. */
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
