import { randomUUID } from 'node:crypto';

/** W3C Trace Context, level 1: version 00, 16-byte trace id, 8-byte parent id, flags; all-zero ids are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

export interface TraceContext {
  readonly traceId: string;
  /** For outgoing calls: the caller's trace, this service as the parent. */
  readonly traceparent: string;
}

/** Continues the caller's trace, or starts one where the header is missing or not valid. */
export function continueTrace(header: string | undefined): TraceContext {
  const [, traceId = hex(), flags = '00'] = (header && TRACEPARENT.exec(header)) || [];
  return { traceId, traceparent: `00-${traceId}-${hex().slice(0, 16)}-${flags}` };
}

/** 122 random bits, from a UUID because Node caches entropy for those. */
function hex(): string {
  return randomUUID().replaceAll('-', '');
}

const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's request id if it is safe in logs and headers, else undefined. */
export function acceptableRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : undefined;
}
