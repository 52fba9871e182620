import { UsedTime } from '#libs/concurrency';

/** A claim of work for an organization. null: its brand is gone. */
interface OfOrganization {
  readonly organizationId: string | null;
}

/**
 * Organizations take turns by the time that this process worked for each, so that a file that takes minutes is no turn like a picture.
 * Other processes have turns of their own.
 */
export class Turns<Claimed extends OfOrganization> {
  private readonly used = new UsedTime();
  private readonly running = new Map<Claimed, ReturnType<UsedTime['begin']>>();

  /**
   * Claims up to `limit` rows, each for the organization that is next by then.
   * @param claimNext gets the organizations that used time, the one with the most at the end
   */
  async take(limit: number, claimNext: (used: string[]) => Promise<readonly Claimed[]>): Promise<Claimed[]> {
    const all: Claimed[] = [];
    while (all.length < limit) {
      const [claimed] = await claimNext(this.used.leastFirst());
      if (!claimed) break;
      if (claimed.organizationId !== null) this.running.set(claimed, this.used.begin(claimed.organizationId));
      all.push(claimed);
    }
    return all;
  }

  /** The work itself starts: the time before, in a queue behind others, does not count. */
  starts(claimed: Claimed): void {
    this.running.get(claimed)?.restart();
  }

  ended(claimed: Claimed): void {
    this.running.get(claimed)?.end();
    this.running.delete(claimed);
  }
}
