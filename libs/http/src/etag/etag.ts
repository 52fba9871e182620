import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/**
 * A strong entity tag from a version number: `"v7"`. `extra` is the part of the response that the version does not cover;
 * its hash is appended as 16 hexadecimal digits: `"v7-0f3b…"`. Null and undefined append nothing.
 */
export function etagOf(version: number, extra?: unknown): string {
  return extra === null || extra === undefined ? `"v${version}"` : `"v${version}-${digest(extra)}"`;
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** Equals no stored version. */
export const NO_VERSION = -1;

/**
 * The version that an `If-Match` header requires, undefined when it requires none (missing or `*`). A foreign tag matches
 * nothing, so that the change is refused. The weak form of an own tag counts as the tag, although RFC 9110, 13.1.1, compares
 * strongly: a proxy that compresses makes it, and it names the same version. Of several tags the newest counts.
 * The `extra` part of a tag is ignored, because it covers other resources than the changed one.
 */
export function requiredVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const versions = header
    .split(',')
    .map((tag) => /^(?:W\/)?"v(\d{1,15})(?:-[0-9a-f]{16})?"$/.exec(tag.trim())?.[1]);
  return Math.max(
    NO_VERSION,
    ...versions.map((version) => (version === undefined ? NO_VERSION : Number(version))),
  );
}

/** Whether an `If-None-Match` header names the tag; weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Parameter: the version the caller has read (`If-Match: "v7"` → 7), or undefined without the header. */
export const IfMatch = createParamDecorator((_data: undefined, context: ExecutionContext) =>
  requiredVersion(context.switchToHttp().getRequest<Request>().headers['if-match']),
);
