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
 * Says who sends the request, once that is known; the guard of #libs/auth calls it. Idempotency keys and
 * rate limits belong to this name. @param principal unique among all kinds, such as `user:<id>`
 * @param organizationIds those the principal belongs to just now
 * @param automated the one organization for which the principal works, when it is no person: all that work for one
 * share a rate limit
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

/** The organizations of who sends the request; none without a caller. */
export function organizationsOf(request: Request): readonly string[] {
  return (request as Named)[ORGANIZATIONS] ?? [];
}

/** The organization for which something that is no person sends the request. */
export function automatedOrganizationOf(request: Request): string | undefined {
  return (request as Named)[AUTOMATED];
}

/** Who sends the request; without a caller, the address it comes from. */
export function principalOf(request: Request): string {
  return (request as Named)[PRINCIPAL] ?? addressOf(request);
}

/** A port behind it, and brackets, as some proxies write them into X-Forwarded-For. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/;

/** Addresses of one IPv6 /64 count as one: a subscriber has them all. So does everything that is no address. */
export function addressOf(request: Request): string {
  const told = request.ip ?? '';
  const [, bracketed, ported] = WITH_PORT.exec(told) ?? [];
  const address = (bracketed ?? ported ?? told).replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(address)) return `address:${address}`;
  return `address:${isIPv6(address) ? subnetOf(address) : 'unknown'}`;
}

/** However the address is spelled: the parser of URLs writes them all alike. */
function subnetOf(address: string): string {
  const canonical = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [head = [], tail = []] = canonical.split('::').map(groups);
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
