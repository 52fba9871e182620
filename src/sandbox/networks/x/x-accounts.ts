import type { Clock } from '#libs/clock';
import type { JournalRecord, Persistent } from '../../journal.js';
import type { Snowflakes } from './snowflake.js';

export interface XAccount {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly createdAt: string;
  readonly description: string;
  readonly verified: boolean;
  readonly verifiedType: 'blue' | 'business' | 'government' | 'none';
  /** Subscribers may write 25 000 characters instead of 280. */
  readonly subscriptionType: 'Basic' | 'Premium' | 'PremiumPlus' | 'None';
  readonly suspended: boolean;
}

export type NewXAccount = Pick<XAccount, 'username'> &
  Partial<Omit<XAccount, 'id' | 'username' | 'createdAt' | 'suspended'>>;

/** X's own rule for handles. */
export const USERNAME = /^[A-Za-z0-9_]{1,15}$/;

const DEMO: readonly NewXAccount[] = [
  { username: 'northwind', name: 'Northwind Coffee', description: 'Roasted on Tuesdays. Gone by Friday.' },
  { username: 'harborbooks', name: 'Harbor Books', description: 'An independent bookshop by the water.' },
  {
    username: 'lumenstudio',
    name: 'Lumen Studio',
    description: 'Light, set and camera.',
    verified: true,
    verifiedType: 'blue',
    subscriptionType: 'Premium',
  },
];

export class XAccounts implements Persistent {
  private readonly byId = new Map<string, XAccount>();
  private readonly byHandle = new Map<string, XAccount>();

  constructor(
    private readonly ids: Snowflakes,
    private readonly clock: Clock,
  ) {}

  get all(): Iterable<XAccount> {
    return this.byId.values();
  }

  find(idOrUsername: string): XAccount | undefined {
    return this.byId.get(idOrUsername) ?? this.byUsername(idOrUsername);
  }

  byUsername(username: string): XAccount | undefined {
    return this.byHandle.get(username.toLowerCase());
  }

  create(account: NewXAccount): XAccount {
    return this.keep({
      name: account.username,
      description: '',
      verified: false,
      verifiedType: 'none',
      subscriptionType: 'None',
      suspended: false,
      ...account,
      id: this.ids.next(),
      createdAt: this.clock.now().toISOString(),
    });
  }

  change(account: XAccount, changes: Partial<Pick<XAccount, 'suspended'>>): XAccount {
    return this.keep({ ...account, ...changes });
  }

  /** Creates some accounts for the first sign-in. */
  seed(): XAccount[] {
    return DEMO.filter(({ username }) => !this.byUsername(username)).map((account) => this.create(account));
  }

  clear(): void {
    this.byId.clear();
    this.byHandle.clear();
  }

  restore(record: JournalRecord): void {
    if (record.kind !== 'x.account') return;
    const account = record.account as XAccount;
    this.ids.passed(account.id);
    this.keep(account);
  }

  *snapshot(): Generator<JournalRecord> {
    for (const account of this.byId.values()) yield { kind: 'x.account', account };
  }

  private keep(account: XAccount): XAccount {
    this.byId.set(account.id, account);
    this.byHandle.set(account.username.toLowerCase(), account);
    return account;
  }
}
