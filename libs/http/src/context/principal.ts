import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

const PRINCIPAL = Symbol('principal');

const ORGANIZATIONS = Symbol('organizations');

const AUTOMATED = Symbol('automated organization');

type Named = Request & {
  [PRINCIPAL]?: string;
  [ORGANIZATIONS]?: readonly string[];
  [AUTOMATED]?: string;
};

/**
 * Records the sender of the request; called by the guard of #libs/auth. Idempotency keys and rate limits belong to this
 * name. @param principal unique among all kinds, such as `user:<id>`
 * @param organizationIds current organizations of the principal
 * @param automated the organization of a principal that is no person: all automations of one organization share a rate limit
 */
export function setPrincipal(
  request: Request,
  principal: string,
  organizationIds: readonly string[] = [],
  automated?: string,
): void {
  Object.assign(request as Named, {
    [PRINCIPAL]: principal,
    [ORGANIZATIONS]: organizationIds,
    [AUTOMATED]: automated,
  });
}

/** The organizations of the caller; none without a caller. */
export function organizationsOf(request: Request): readonly string[] {
  return (request as Named)[ORGANIZATIONS] ?? [];
}

/** The organization of a caller that is no person. */
export function automatedOrganizationOf(request: Request): string | undefined {
  return (request as Named)[AUTOMATED];
}

/** The principal of the request; undefined without an accepted caller. */
export const callerNameOf = (request: Request): string | undefined => (request as Named)[PRINCIPAL];

/** The principal of the request; without a caller, the client's address. */
export function principalOf(request: Request): string {
  return callerNameOf(request) ?? addressOf(request);
}

/** An address with port or brackets, as some proxies write it into X-Forwarded-For. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/;

/** Addresses of one IPv6 /64 count as one, because one subscriber has all of them. All invalid addresses count as one. */
export function addressOf(request: Request): string {
  const told = request.ip ?? '';
  const [, bracketed, ported] = WITH_PORT.exec(told) ?? [];
  const address = (bracketed ?? ported ?? told).replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(address)) return `address:${address}`;
  return `address:${isIPv6(address) ? subnetOf(address) : 'unknown'}`;
}

/** The URL parser normalises the spelling. */
function subnetOf(address: string): string {
  const canonical = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [head = [], tail = []] = canonical.split('::').map(groups);
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
