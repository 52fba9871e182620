/** More organizations than have files in work at the same time. */
const MAX_REMEMBERED = 1_000;

/** The organizations that this process served, so that each is next in turn. Other processes have turns of their own. */
export class Turns {
  private readonly served = new Set<string>();

  /** @param claim gets the organizations that were served, the last one at the end */
  async take<Claimed extends { readonly organizationId: string | null }>(
    claim: (served: string[]) => Promise<Claimed[]>,
  ): Promise<Claimed[]> {
    const claimed = await claim([...this.served]);
    for (const { organizationId } of claimed) if (organizationId !== null) this.end(organizationId);
    return claimed;
  }

  private end(organizationId: string): void {
    this.served.delete(organizationId);
    this.served.add(organizationId);
    const [longestAgo] = this.served;
    if (this.served.size > MAX_REMEMBERED && longestAgo !== undefined) this.served.delete(longestAgo);
  }
}
