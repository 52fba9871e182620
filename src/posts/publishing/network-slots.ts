import { Injectable } from '@nestjs/common';
import type { Platform } from '#libs/content';
import { PublishConfig } from './publish.config.js';

/** A post that occupies a slot while it is sent. */
interface Occupant {
  readonly platform: Platform;
  readonly organizationId: string;
}

interface Sendable extends Occupant {
  /** Milliseconds since an outage of the network ended; null: none is known. */
  readonly recoveredMs: number | null;
}

interface Fit<Post> {
  readonly fitting: Post[];
  readonly full: Platform[];
  readonly fullOrganizations: Occupant[];
}

/** A network gets a further slot while it has less than so many times the free ones. */
const SHARE = 3;
/** An organization gets a further slot of a network while it has less than so many times those that the network may still get. */
const SHARE_OF_ORGANIZATION = 7;
/** After an outage: so many posts at once, doubling every RAMP_MS. */
const RAMP_FROM = 4;
const RAMP_MS = 500;

/**
 * The slots of this worker, shared by networks, and those of a network by organizations. However many posts of a slow network or
 * slow posts of an organization are due, slots stay free for the others: one network gets at most three quarters of all, two get
 * three sevenths each; one organization gets at most seven eighths of its network's. It limits what this worker takes next,
 * nothing else.
 */
@Injectable()
export class NetworkSlots {
  private readonly running = new Set<Occupant>();

  constructor(private readonly config: PublishConfig) {}

  begin(post: Occupant): void {
    this.running.add(post);
  }

  /** @param post the object that began */
  end(post: Occupant): void {
    this.running.delete(post);
  }

  /** Networks of which no further post may begin. */
  full(): Platform[] {
    const used = new UsedSlots(this.running);
    return [...used.networks.keys()].filter((platform) => !this.hasSlot(used, platform));
  }

  /** Whether a network or an organization has all that it may have. */
  isShort(): boolean {
    const used = new UsedSlots(this.running);
    return [...this.running].some((post) => !this.hasSlot(used, post.platform) || !this.hasShare(used, post));
  }

  /** @returns those that may begin now, in their order, and of what some may not: networks, and organizations of other networks */
  fit<Post extends Sendable>(posts: readonly Post[]): Fit<Post> {
    const used = new UsedSlots(this.running);
    const full = new Set<Platform>();
    const fullOrganizations = new Map<string, Occupant>();
    const fitting = posts.filter((post) => {
      if (!this.hasSlot(used, post.platform, post.recoveredMs)) return (full.add(post.platform), false);
      if (!this.hasShare(used, post)) return (fullOrganizations.set(keyOf(post), post), false);
      used.add(post);
      return true;
    });
    return { fitting, full: [...full], fullOrganizations: [...fullOrganizations.values()] };
  }

  private hasSlot(used: UsedSlots, platform: Platform, recoveredMs: number | null = null): boolean {
    const free = this.config.concurrency - used.total;
    const ramp = recoveredMs === null ? Infinity : RAMP_FROM * 2 ** (recoveredMs / RAMP_MS);
    return used.of(platform) < Math.min(SHARE * free, ramp);
  }

  private hasShare(used: UsedSlots, post: Occupant): boolean {
    const ofNetwork = used.of(post.platform);
    const most = Math.ceil(((this.config.concurrency - used.total + ofNetwork) * SHARE) / (SHARE + 1));
    return used.ofOrganization(post) < SHARE_OF_ORGANIZATION * (most - ofNetwork);
  }
}

class UsedSlots {
  total = 0;
  readonly networks = new Map<Platform, number>();
  private readonly organizations = new Map<string, number>();

  constructor(posts: Iterable<Occupant>) {
    for (const post of posts) this.add(post);
  }

  add(post: Occupant): void {
    this.total += 1;
    this.networks.set(post.platform, this.of(post.platform) + 1);
    this.organizations.set(keyOf(post), this.ofOrganization(post) + 1);
  }

  of(platform: Platform): number {
    return this.networks.get(platform) ?? 0;
  }

  ofOrganization(post: Occupant): number {
    return this.organizations.get(keyOf(post)) ?? 0;
  }
}

const keyOf = ({ platform, organizationId }: Occupant): string => `${platform} ${organizationId}`;
