/** How the server answers RCPT for a mailbox. */
export interface RecipientReply {
  readonly code: number;
  readonly text: string;
}

/** Names by which a behaviour is set, and local parts that have it at every domain. */
export const BEHAVIOURS = ['accept', 'unknown', 'disabled', 'full', 'greylisted', 'policy', 'busy'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** With enhanced status codes (RFC 3463). */
const REPLIES: Readonly<Record<Exclude<Behaviour, 'accept'>, RecipientReply>> = {
  unknown: { code: 550, text: '5.1.1 No such user here' },
  disabled: { code: 550, text: '5.2.1 The mailbox is disabled' },
  full: { code: 452, text: '4.2.2 The mailbox is full' },
  greylisted: { code: 451, text: '4.7.1 Greylisted, try again later' },
  policy: { code: 550, text: '5.7.1 Message refused by policy' },
  busy: { code: 450, text: '4.3.2 The system is busy' },
};

/** What recipients answer. Unlisted ones accept, unless their local part is the name of a behaviour. */
export class Recipients {
  private readonly set = new Map<string, { readonly behaviour: Behaviour; left: number }>();
  private readonly greeted = new Set<string>();

  /** @param times how often before it accepts; a greylisted one accepts after the first time unless told otherwise */
  give(address: string, behaviour: Behaviour, times = Infinity): void {
    this.set.set(address.toLowerCase(), { behaviour, left: times });
  }

  behaviourOf(address: string): Behaviour {
    const own = this.set.get(address.toLowerCase());
    if (own) return own.left > 0 ? own.behaviour : 'accept';
    const [local = ''] = address.toLowerCase().split(/[+@]/);
    return BEHAVIOURS.find((name) => name === local) ?? 'accept';
  }

  /** null: accepted. Counts the answer. */
  reply(from: string, address: string): RecipientReply | null {
    const behaviour = this.behaviourOf(address);
    if (behaviour === 'accept') return null;
    const own = this.set.get(address.toLowerCase());
    if (own) own.left -= 1;
    else if (behaviour === 'greylisted') {
      const pair = `${from}\n${address}`.toLowerCase();
      if (this.greeted.has(pair)) return null;
      this.greeted.add(pair);
    }
    return REPLIES[behaviour];
  }

  clear(): void {
    this.set.clear();
    this.greeted.clear();
  }
}
