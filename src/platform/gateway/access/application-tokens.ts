import { Injectable } from '@nestjs/common';
import { TokenDigests } from '#libs/auth';
import { GatewayConfig } from '../gateway.config.js';

/** `shared`: a token of any application that has no dedicated one. */
export type Recognized = { readonly kind: 'dedicated'; readonly slug: string } | { readonly kind: 'shared' };

/** Tokens of the services. A new token is added to the old one, so that both are accepted while it is replaced. */
@Injectable()
export class ApplicationTokens {
  private readonly shared: TokenDigests;
  private readonly dedicated: readonly { readonly slug: string; readonly tokens: TokenDigests }[];

  constructor({ sharedTokens = '', serviceTokens = '' }: GatewayConfig) {
    this.shared = new TokenDigests(sharedTokens.split(','));
    const entries = serviceTokens
      .split(',')
      .filter(Boolean)
      .map((entry) => entry.split(':') as [string, string]);
    this.dedicated = [...new Set(entries.map(([slug]) => slug))].map((slug) => ({
      slug,
      tokens: new TokenDigests(entries.filter(([name]) => name === slug).map(([, token]) => token)),
    }));
  }

  /** Compares the tokens of all applications, even after a match. undefined: not a configured token. */
  recognize(token: string): Recognized | undefined {
    const isShared = this.shared.has(token);
    const [own] = this.dedicated.filter(({ tokens }) => tokens.has(token));
    if (own) return { kind: 'dedicated', slug: own.slug };
    return isShared ? { kind: 'shared' } : undefined;
  }

  /** A dedicated token is accepted for its application only, and an application that has one with no shared token. */
  isAcceptedFor(recognized: Recognized, slug: string): boolean {
    if (recognized.kind === 'dedicated') return recognized.slug === slug;
    return this.dedicated.every((one) => one.slug !== slug);
  }
}
