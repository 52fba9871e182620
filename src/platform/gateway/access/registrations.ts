import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { IdentityClient } from '#libs/platform-client';

/** An identifier never changes; a removed registration is refused after this time. */
const KNOWN_FOR_MS = 60_000;

/** The registered identifiers of applications, by slug. */
@Injectable()
export class Registrations {
  private readonly known = new Map<string, { readonly id: string; readonly until: number }>();

  constructor(
    private readonly identity: IdentityClient,
    private readonly clock: Clock,
  ) {}

  /** null when the slug is not registered. @throws IdentityIsUnavailable */
  async idOf(slug: string): Promise<string | null> {
    const known = this.known.get(slug);
    if (known && this.clock.monotonic() < known.until) return known.id;
    const found = await this.identity.registration(slug);
    if (!found) return null;
    this.known.set(slug, { id: found.id, until: this.clock.monotonic() + KNOWN_FOR_MS });
    return found.id;
  }
}
