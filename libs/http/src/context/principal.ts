import type { Request } from 'express';

const PRINCIPAL = Symbol('principal');

const ORGANIZATIONS = Symbol('organizations');

type Named = Request & { [PRINCIPAL]?: string; [ORGANIZATIONS]?: readonly string[] };

/**
 * Says who sends the request, once that is known; the guard of #libs/auth calls it. Idempotency keys and
 * rate limits belong to this name. @param principal unique among all kinds, such as `user:<id>`
 * @param organizationIds those the principal belongs to just now
 */
export function setPrincipal(
  request: Request,
  principal: string,
  organizationIds: readonly string[] = [],
): void {
  Object.assign(request as Named, { [PRINCIPAL]: principal, [ORGANIZATIONS]: organizationIds });
}

/** The organizations of who sends the request; none without a caller. */
export function organizationsOf(request: Request): readonly string[] {
  return (request as Named)[ORGANIZATIONS] ?? [];
}

/** Who sends the request; without a caller, the address it comes from. */
export function principalOf(request: Request): string {
  return (request as Named)[PRINCIPAL] ?? addressOf(request);
}

/** Addresses of one IPv6 /64 count as one: a subscriber has them all. */
export function addressOf(request: Request): string {
  const address = (request.ip ?? 'unknown').replace(/^::ffff:(?=\d+\.)/, '');
  if (!address.includes(':')) return `address:${address}`;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = 8 - groups.length - (tail ? tail.split(':').length : 0);
  const full =
    tail === undefined ? groups : [...groups, ...Array<string>(missing).fill('0'), ...tail.split(':')];
  return `address:${full.slice(0, 4).join(':')}::/64`;
}
