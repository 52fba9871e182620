import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from './payments.config.js';
import { ReturnAddressIsNotAllowed } from './payments.errors.js';

/** Printable ASCII without characters that parsers of addresses read differently. */
const PLAIN = /^[\x21-\x7e]{1,2000}$/;
const AMBIGUOUS = /[\\^`|<>"]/;

/** The allow-list of origins to which people are sent back. An open list would make our checkout a redirector. */
@Injectable()
export class ReturnAddresses {
  private readonly origins: ReadonlySet<string>;

  constructor({ returnOrigins = '' }: PaymentsConfig) {
    this.origins = new Set(
      returnOrigins
        .split(',')
        .filter(Boolean)
        .map((origin) => new URL(origin).origin),
    );
  }

  /** The address as it was given. @throws ReturnAddressIsNotAllowed */
  allowed(field: string, address: string): string {
    const url = PLAIN.test(address) && !AMBIGUOUS.test(address) ? URL.parse(address) : null;
    const isAllowed =
      url !== null && url.username === '' && url.password === '' && this.origins.has(url.origin);
    if (!isAllowed) throw new ReturnAddressIsNotAllowed(field);
    return address;
  }
}
