import type { Clock } from '#libs/clock';

/** So long an organization that found no room counts as waiting: ten times the Retry-After of a refusal. */
const WAITING_MS = 10_000;

/**
 * Places of this process. One organization may have all of them while no other has any or waits; otherwise no more than its share, so
 * that it cannot keep the others out.
 */
export class FairPlaces {
  private taken = 0;
  private readonly byOrganization = new Map<string, number>();
  /** Organizations without their share that were refused, until when. */
  private readonly waiting = new Map<string, number>();

  /** @param share of the places for one organization while others have or want some, above 0 and at most 1 */
  constructor(
    private readonly places: number,
    private readonly share: number,
    private readonly clock: Clock,
  ) {}

  /** @returns frees the places, once; null: there is no room now */
  take(organizationId: string, places = 1): (() => void) | null {
    const own = this.byOrganization.get(organizationId) ?? 0;
    const hasRoom = this.taken + places <= this.places;
    // Something larger than a share can be served, one at a time.
    const isFair = own === 0 || own + places <= this.shareOf(places) || !this.isWanted(organizationId);
    if (!hasRoom || !isFair) {
      if (own + places <= this.shareOf(places))
        this.waiting.set(organizationId, this.clock.monotonic() + WAITING_MS);
      return null;
    }
    this.waiting.delete(organizationId);
    this.add(organizationId, places);
    let isFree = false;
    return () => {
      if (!isFree) this.add(organizationId, -places);
      isFree = true;
    };
  }

  private shareOf(places: number): number {
    return Math.max(places, Math.ceil(this.places * this.share));
  }

  /** Whether another organization has places or waits for some. */
  private isWanted(organizationId: string): boolean {
    if (this.taken > (this.byOrganization.get(organizationId) ?? 0)) return true;
    const now = this.clock.monotonic();
    for (const [id, until] of this.waiting) if (until <= now) this.waiting.delete(id);
    return this.waiting.size > (this.waiting.has(organizationId) ? 1 : 0);
  }

  private add(organizationId: string, places: number): void {
    this.taken += places;
    const own = (this.byOrganization.get(organizationId) ?? 0) + places;
    if (own > 0) this.byOrganization.set(organizationId, own);
    else this.byOrganization.delete(organizationId);
  }
}
