import type { IncomingMessage, ServerResponse } from 'node:http';
import { S3Error } from './wire/s3-error.js';

/** A CORS rule, as in PutBucketCors. */
export interface CorsRule {
  /** Exact, such as `https://app.example.com`; `*` for any. */
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  /** In lower case; `*` for any. */
  readonly allowedHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}

export function allowOrigin(
  message: IncomingMessage,
  response: ServerResponse,
  rule: CorsRule | undefined,
): void {
  if (!rule) return;
  response.setHeader('Vary', 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method');
  const { origin } = message.headers;
  const method = message.headers['access-control-request-method'] ?? message.method ?? '';
  if (!origin || !isAllowed(rule, origin, method)) return;
  response.setHeader('Access-Control-Allow-Origin', rule.allowedOrigins.includes('*') ? '*' : origin);
  response.setHeader('Access-Control-Expose-Headers', rule.exposeHeaders.join(', '));
}

export function answerPreflight(
  { headers }: IncomingMessage,
  response: ServerResponse,
  rule: CorsRule | undefined,
): void {
  const { origin } = headers;
  const method = headers['access-control-request-method'];
  if (!origin || !method) throw new S3Error('InvalidRequest', 'A preflight has an Origin and a method.');
  const asked = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (!rule || !isAllowed(rule, origin, method)) throw new S3Error('AccessForbidden');
  const { allowedHeaders } = rule;
  const isUnknown = (name: string) => !allowedHeaders.includes('*') && !allowedHeaders.includes(name);
  if (asked.some(isUnknown)) throw new S3Error('AccessForbidden');
  response.setHeader('Access-Control-Allow-Methods', rule.allowedMethods.join(', '));
  response.setHeader('Access-Control-Max-Age', rule.maxAgeSeconds);
  if (asked.length > 0) response.setHeader('Access-Control-Allow-Headers', asked.join(', '));
  response.writeHead(200).end();
}

const isAllowed = ({ allowedOrigins, allowedMethods }: CorsRule, origin: string, method: string): boolean =>
  (allowedOrigins.includes(origin) || allowedOrigins.includes('*')) && allowedMethods.includes(method);
