import { retryAfterIn } from '#libs/outbound-http';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { textLike } from '../values.js';

/** `sub` of the member, the id in `urn:li:person:{id}`. */
const MEMBER_ID = /^[A-Za-z0-9_-]{1,100}$/;
const ORGANIZATION = /^urn:li:organization:(\d{1,20})$/;
const PERSON = /^urn:li:person:([A-Za-z0-9_-]{1,100})$/;
const POST = /^urn:li:(share|ugcPost):\d{1,25}$/;
const MEDIA = /^urn:li:(image|video):[A-Za-z0-9_-]{1,200}$/;
const DAY_MS = 86_400_000;
/** A later retry is an error of the network. */
const LONGEST_WAIT_MS = DAY_MS;

export const memberIdIn = (value: unknown): string | null => textLike(MEMBER_ID, value);

/** Id of the organization with this URN; null for brands of organizations and anything else. */
export const organizationIdIn = (value: unknown): string | null =>
  typeof value === 'string' ? (ORGANIZATION.exec(value)?.[1] ?? null) : null;

export const personIdIn = (value: unknown): string | null =>
  typeof value === 'string' ? (PERSON.exec(value)?.[1] ?? null) : null;

/** The URN of a post, which is its id; null for anything else. */
export function postUrnIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // Rest.li allows an encoded key in the header.
  const urn = value.replaceAll(/%3a/gi, ':');
  return POST.test(urn) ? urn : null;
}

export const mediaUrnIn = (value: unknown): string | null => textLike(MEDIA, value);

export const postUrl = (site: string, urn: string): string => `${site}/feed/update/${urn}/`;

/**
 * Milliseconds until a limit ends: `retry-after`, else until midnight UTC, when daily limits begin again
 * (learn.microsoft.com/linkedin/shared/api-guide/concepts/rate-limits).
 * @param now only for a response without `Date`: midnight is that of LinkedIn's clock
 */
export function waitIn(headers: NetworkResponse['headers'], now: Date): number {
  const asked = retryAfterIn(headers) ?? 0;
  if (asked > 0 && asked <= LONGEST_WAIT_MS) return asked;
  const answeredAt = Date.parse(headers.date ?? '') || now.getTime();
  return DAY_MS - (answeredAt % DAY_MS);
}
