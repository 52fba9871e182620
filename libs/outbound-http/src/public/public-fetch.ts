import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Client, type Dispatcher } from 'undici';
import { firstValues, type OutboundHeaders } from '../outbound-headers.js';
import { reasonOf } from '../reason.js';
import { aborted, TimeLimit } from '../time-limit.js';
import { boundedBytes } from './bounded-body.js';
import { namesOtherNetwork } from './public-address.js';
import { AddressIsNotPublic, addressesOf, publicAddressesOf, queryAddresses } from './public-addresses.js';
import { PublicFetchConfig } from './public-fetch.config.js';

export interface PublicFetchRequest {
  /** As a person or a model gave it. */
  readonly url: string;
  /** Maximum bytes of the body, also after decompression. */
  readonly maxBytes: number;
  /** Media types; default any. */
  readonly accept?: string;
  /** Sent to the origin of `url` only: a redirect to another origin drops them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for everything: DNS, redirects and the body. Default 5000. */
  readonly timeoutMs?: number;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** Why an address is not called. */
export type Refusal =
  /** It is no absolute address. */
  | 'not-an-address'
  /** Other than http and https. */
  | 'scheme'
  /** It holds a user name or a password. */
  | 'credentials'
  /** Other than 80 and 443. */
  | 'port'
  /** The host is, or has, an address outside the public internet. */
  | 'not-public'
  /** More than three. */
  | 'redirects';

export type PublicFetchResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: OutboundHeaders;
      /** Where the answer comes from, after redirects; relative links in the body refer to it. */
      readonly url: string;
      /** Decompressed. */
      readonly body: Buffer;
    }
  /** The address given, or one that it redirects to. The same address is refused again. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** A code such as ECONNREFUSED, ENOTFOUND, TimeoutError, ANSWER_TOO_LONG or UNKNOWN_CODING; never the address. */
  | { readonly kind: 'failed'; readonly reason: string };

const DEADLINE_MS = 5_000;
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const PORTS: readonly string[] = ['', '80', '443'];
const USER_AGENT = 'content-operations/1.0';

type Response = Extract<PublicFetchResult, { kind: 'answered' }>;

/**
 * Reads addresses that a person or a model gave. A request goes to the public internet only: the host's addresses are checked, and
 * the connection is made to one that was checked. Redirects are checked in the same way. No connection is shared or kept.
 * See docs/decisions/0027-outbound-addresses.md.
 */
@Injectable()
export class PublicFetch {
  constructor(private readonly config: PublicFetchConfig) {}

  /** Never rejects. */
  async get(request: PublicFetchRequest): Promise<PublicFetchResult> {
    const limit = new TimeLimit(request.timeoutMs ?? DEADLINE_MS, request.signal);
    try {
      return await this.follow(request, limit.signal);
    } catch (error) {
      if (error instanceof AddressIsNotPublic) return refused('not-public');
      return { kind: 'failed', reason: reasonOf(error) };
    } finally {
      limit.end();
    }
  }

  /** DNS; replaced in tests. */
  protected resolve(host: string): Promise<readonly string[]> {
    return queryAddresses(host);
  }

  private async follow(request: PublicFetchRequest, signal: AbortSignal): Promise<PublicFetchResult> {
    let { url, headers = {} } = request;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const checked = this.check(url);
      if ('refusal' in checked) return refused(checked.refusal);
      const { target } = checked;
      const response = await this.call(target, { ...request, headers }, signal);
      const location = REDIRECTS.includes(response.status) ? response.headers.location : undefined;
      if (location === undefined) return response;
      if (!URL.canParse(location, target.href)) return refused('not-an-address');
      const next = new URL(location, target);
      if (next.origin !== target.origin) headers = {};
      url = next.href;
    }
    return refused('redirects');
  }

  /** What can be seen without DNS. `URL` writes every notation of an IP address in the usual one. */
  private check(url: string): { readonly target: URL } | { readonly refusal: Refusal } {
    if (!URL.canParse(url)) return { refusal: 'not-an-address' };
    const target = new URL(url);
    if (target.protocol !== 'http:' && target.protocol !== 'https:') return { refusal: 'scheme' };
    if (target.username !== '' || target.password !== '') return { refusal: 'credentials' };
    if (this.isAllowed(target)) return { target };
    if (!PORTS.includes(target.port)) return { refusal: 'port' };
    // No name is resolved for an IP address, so the check at the connection does not see it.
    return namesOtherNetwork(target) ? { refusal: 'not-public' } : { target };
  }

  private isAllowed({ origin }: URL): boolean {
    return this.config.allowedOrigins.has(origin);
  }

  /** A client for each request: whatever its server does, nothing of it stays when the call is over. */
  private async call(
    target: URL,
    { accept = '*/*', headers, maxBytes }: PublicFetchRequest,
    signal: AbortSignal,
  ): Promise<Response> {
    signal.throwIfAborted();
    const client = new Client(target.origin, {
      allowH2: false,
      connect: { lookup: this.lookup(this.isAllowed(target)) },
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const sent = client.request({
        method: 'GET',
        path: target.pathname + target.search,
        headers: { 'user-agent': USER_AGENT, ...headers, accept, 'accept-encoding': 'gzip, br' },
        signal,
      });
      return await answerOf(await Promise.race([sent, aborted(signal)]), target, maxBytes, signal);
    } finally {
      client.destroy().catch(() => undefined);
    }
  }

  /** Gives the socket the addresses that were checked, and no name that could be asked for again. */
  private lookup(isAllowed: boolean): LookupFunction {
    const find = isAllowed ? addressesOf : publicAddressesOf;
    return (host, { all }, callback) => {
      find(host, (name) => this.resolve(name)).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          if (all) callback(null, found);
          else callback(null, found[0]!.address, found[0]!.family);
        },
        (error: Error) => callback(error, []),
      );
    };
  }
}

const refused = (refusal: Refusal): PublicFetchResult => ({ kind: 'refused', refusal });

async function answerOf(
  { statusCode: status, headers: all, body: content }: Dispatcher.ResponseData,
  { href: url }: URL,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Response> {
  // The body of a redirect is not read; its end is an error without a reader.
  content.on('error', () => undefined);
  const headers = firstValues(all);
  const isRedirect = REDIRECTS.includes(status) && headers.location !== undefined;
  const body = isRedirect
    ? Buffer.alloc(0)
    : await boundedBytes(content, headers['content-encoding'], maxBytes, signal);
  return { kind: 'answered', status, headers, url, body };
}
