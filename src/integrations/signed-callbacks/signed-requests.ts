import { createHmac, timingSafeEqual } from 'node:crypto';
import { exactJson } from '#libs/outbound-http';
import {
  SignedRequestHasExpired,
  SignedRequestIsMalformed,
  SignatureIsInvalid,
  NetworkSendsNoCallbacks,
  ProviderIsNotConnectable,
} from '../domain/integration.errors.js';
import { isRecord } from '../providers/values.js';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import { ProviderRegistry, publishes } from '../registry/provider-registry.js';

interface SignedRequest {
  readonly subject: string;
  /** Identifies the request; it says nothing about the person without the key. */
  readonly signature: Buffer;
  /** Seconds since 1970; null: not stated. */
  readonly issuedAt: number | null;
}

/** Characters; the requests of Meta have about 200. */
export const MAX_SIGNED_REQUEST = 4_096;
const SUBJECT = /^[\w.:-]{1,100}$/;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const SHA256_BYTES = 32;
/** Clocks differ. */
const FUTURE_SECONDS = 300;
/** A repeated callback changes nothing at any age. */
const MAX_AGE_SECONDS = 86_400;

/**
 * Reads a `signed_request` of Meta: `base64url(signature) "." base64url(JSON)`, without padding; the signature is HMAC-SHA256 of the
 * second part as it was received (developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback, read
 * 2026-11-21).
 * @param maxAgeSeconds since `issued_at`; 0: any age
 * @throws SignedRequestIsMalformed, SignatureIsInvalid, SignedRequestHasExpired
 */
export function readSignedRequest(
  text: string,
  secret: string,
  { now, maxAgeSeconds }: { readonly now: Date; readonly maxAgeSeconds: number },
): SignedRequest {
  const dot = text.indexOf('.');
  if (dot < 0 || text.length > MAX_SIGNED_REQUEST) throw new SignedRequestIsMalformed();
  const [signed, payload] = [text.slice(0, dot), text.slice(dot + 1)];
  const signature = bytesIn(signed);
  const { subject, issuedAt } = payloadIn(payload);
  if (signature.length !== SHA256_BYTES) throw new SignatureIsInvalid();
  const expected = createHmac('sha256', secret).update(payload, 'latin1').digest();
  if (!timingSafeEqual(signature, expected)) throw new SignatureIsInvalid();
  assertFresh(issuedAt, now, maxAgeSeconds);
  return { subject, signature, issuedAt };
}

function payloadIn(payload: string): { subject: string; issuedAt: number | null } {
  const fields = fieldsIn(bytesIn(payload));
  const { algorithm, user_id: subject, issued_at: issuedAt } = fields;
  if (algorithm !== 'HMAC-SHA256') throw new SignedRequestIsMalformed();
  const id = typeof subject === 'number' && Number.isSafeInteger(subject) ? String(subject) : subject;
  if (typeof id !== 'string' || !SUBJECT.test(id)) throw new SignedRequestIsMalformed();
  return { subject: id, issuedAt: typeof issuedAt === 'number' ? issuedAt : null };
}

function fieldsIn(bytes: Buffer): Record<string, unknown> {
  try {
    const value = exactJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isRecord(value)) return value;
  } catch {
    // The message of the parser quotes the payload.
  }
  throw new SignedRequestIsMalformed();
}

/** Strict: Node ignores characters that are not of the alphabet, padding included. */
function bytesIn(part: string): Buffer {
  if (!BASE64URL.test(part) || part.length % 4 === 1) throw new SignedRequestIsMalformed();
  return Buffer.from(part, 'base64url');
}

function assertFresh(issuedAt: number | null, now: Date, maxAgeSeconds: number): void {
  if (maxAgeSeconds === 0) return;
  if (issuedAt === null) throw new SignedRequestIsMalformed();
  const age = now.getTime() / 1000 - issuedAt;
  if (age > maxAgeSeconds || age < -FUTURE_SECONDS) throw new SignedRequestHasExpired();
}

export interface NetworkCallback extends SignedRequest {
  readonly platform: Platform;
}

@Injectable()
export class SignedRequests {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly clock: Clock,
  ) {}

  /** @throws ProviderIsNotConnectable without a key, and an error for each other reason to refuse the request */
  read(platform: string, text: string): NetworkCallback {
    const provider = this.providers.of(platform);
    const callbacks = publishes(provider) ? provider.signedCallbacks : undefined;
    if (!callbacks) throw new NetworkSendsNoCallbacks(provider.displayName);
    const secret = callbacks.secret();
    if (secret === null) throw new ProviderIsNotConnectable(provider.displayName, 'setup-required');
    const window = { now: this.clock.now(), maxAgeSeconds: MAX_AGE_SECONDS };
    return { platform: provider.platform, ...readSignedRequest(text, secret, window) };
  }
}
