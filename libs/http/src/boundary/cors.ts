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

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, X-Api-Key, X-Brand-ID, Idempotency-Key, If-Match, If-None-Match, traceparent, tracestate, X-Request-Id';
const EXPOSED_HEADERS = [
  'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining',
  'X-RateLimit-Reset, X-Request-Id, Idempotent-Replayed, Content-Disposition, Allow, WWW-Authenticate',
].join(', ');
const PREFLIGHT_SECONDS = '600';

/** The browser origins that may read responses, by exact match. `null`, suffixes and other ports are refused. */
export class CorsPolicy {
  private readonly origins: ReadonlySet<string>;

  /** @param origins separated by commas, as configured */
  constructor(origins: string) {
    this.origins = new Set(origins.split(',').flatMap((origin) => normalised(origin.trim())));
  }

  /** Replaces all CORS headers of the response with those for the origin. */
  apply(response: ServerResponse, origin: string | undefined): void {
    for (const name of response.getHeaderNames()) {
      if (name.startsWith('access-control-')) response.removeHeader(name);
    }
    varyByOrigin(response);
    const headers = this.headersFor(origin);
    for (const [name, value] of headers) response.setHeader(name, value);
    if (headers.length === 0 || response.req.method !== 'OPTIONS') return;
    response.setHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  }

  /** @returns what lets a page of this origin read a response; nothing for an origin that may not */
  headersFor(origin: string | undefined): readonly (readonly [name: string, value: string])[] {
    if (origin === undefined || !this.origins.has(origin)) return [];
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Expose-Headers', EXPOSED_HEADERS],
    ];
  }
}

function normalised(origin: string): string[] {
  return origin === '' ? [] : [new URL(origin).origin];
}

function varyByOrigin(response: ServerResponse): void {
  const vary = response.getHeader('Vary');
  const current = Array.isArray(vary) ? vary.join(', ') : vary === undefined ? '' : String(vary);
  if (current === '*' || /(^|,)\s*origin\s*(,|$)/i.test(current)) return;
  response.setHeader('Vary', current === '' ? 'Origin' : `${current}, Origin`);
}
