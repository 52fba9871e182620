import { Injectable } from '@nestjs/common';
import type { Platform } from '#libs/content';
import { PublishConfig } from './publish.config.js';

interface Sendable {
  readonly platform: Platform;
  /** Milliseconds since an outage of the network ended; null: none is known. */
  readonly recoveredMs: number | null;
}

/** A network gets a further slot while it has less than so many times the free ones. */
const SHARE = 3;
/** After an outage: so many posts at once, doubling every RAMP_MS. */
const RAMP_FROM = 4;
const RAMP_MS = 500;

/**
 * The slots of this worker, shared by networks. However many posts of a slow network are due, slots stay free for the others: one
 * network gets at most three quarters of all, two get three sevenths each. It limits what this worker takes next, nothing else.
 */
@Injectable()
export class NetworkSlots {
  private readonly used = new Map<Platform, number>();

  constructor(private readonly config: PublishConfig) {}

  begin(platform: Platform): void {
    this.used.set(platform, (this.used.get(platform) ?? 0) + 1);
  }

  end(platform: Platform): void {
    const left = (this.used.get(platform) ?? 0) - 1;
    if (left > 0) this.used.set(platform, left);
    else this.used.delete(platform);
  }

  /** Networks of which no further post may begin. */
  full(): Platform[] {
    return [...this.used.keys()].filter(
      (platform) => !mayBegin(this.used, this.config.concurrency, platform),
    );
  }

  /** @returns those that may begin now, in their order, and the networks of which some may not */
  fit<Post extends Sendable>(
    posts: readonly Post[],
  ): { readonly fitting: Post[]; readonly full: Platform[] } {
    const used = new Map(this.used);
    const full = new Set<Platform>();
    const fitting = posts.filter(({ platform, recoveredMs }) => {
      if (!mayBegin(used, this.config.concurrency, platform, recoveredMs)) return (full.add(platform), false);
      used.set(platform, (used.get(platform) ?? 0) + 1);
      return true;
    });
    return { fitting, full: [...full] };
  }
}

function mayBegin(
  used: ReadonlyMap<Platform, number>,
  slots: number,
  platform: Platform,
  recoveredMs: number | null = null,
): boolean {
  const own = used.get(platform) ?? 0;
  const free = slots - [...used.values()].reduce((sum, each) => sum + each, 0);
  const ramp = recoveredMs === null ? Infinity : RAMP_FROM * 2 ** (recoveredMs / RAMP_MS);
  return own < Math.min(SHARE * free, ramp);
}
