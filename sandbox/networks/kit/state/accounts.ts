import type { Clock } from '#libs/clock';
import type { Journal } from '../../../ledger/journal.js';
import { Records } from './records.js';

/** What every network knows of an account. */
export interface SandboxAccount {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly createdAt: string;
  readonly description: string;
  readonly suspended: boolean;
}

/** What a test or a person may choose of a new account; the rest has the network's defaults. */
export type NewAccount<A extends SandboxAccount> = Pick<A, 'username'> &
  Partial<Omit<A, 'id' | 'username' | 'createdAt' | 'suspended'>>;

export interface AccountRules<A extends SandboxAccount> {
  /** Of the journal, such as `x.account`. */
  readonly kind: string;
  readonly newId: () => string;
  /** Called with restored ids. */
  readonly passed?: (id: string) => void;
  /** Values of members that a draft leaves out, beyond name and description. */
  readonly defaults: Omit<A, keyof SandboxAccount>;
  /** Accounts for the first sign-in. */
  readonly demo: readonly NewAccount<A>[];
}

/** The accounts of a network by id and by username, which ignores the case of letters. */
export class Accounts<A extends SandboxAccount> extends Records<A> {
  private readonly byHandle = new Map<string, A>();

  constructor(
    journal: Pick<Journal, 'append'>,
    private readonly clock: Clock,
    private readonly rules: AccountRules<A>,
  ) {
    super(journal, rules.kind, { passed: rules.passed });
  }

  override find(idOrUsername: string): A | undefined {
    return super.find(idOrUsername) ?? this.byUsername(idOrUsername);
  }

  byUsername(username: string): A | undefined {
    return this.byHandle.get(username.toLowerCase());
  }

  create(draft: NewAccount<A>): A {
    const account = {
      name: draft.username,
      description: '',
      suspended: false,
      ...this.rules.defaults,
      ...draft,
      id: this.rules.newId(),
      createdAt: this.clock.now().toISOString(),
    } as unknown as A;
    return this.keep(account);
  }

  change(account: A, changes: Partial<Omit<A, 'id' | 'username'>>): A {
    return this.keep({ ...account, ...changes });
  }

  /** Creates the demo accounts that are missing. */
  seed(): void {
    for (const draft of this.rules.demo) if (!this.byUsername(draft.username)) this.create(draft);
  }

  override clear(): void {
    super.clear();
    this.byHandle.clear();
  }

  protected override placed(account: A): void {
    this.byHandle.set(account.username.toLowerCase(), account);
  }
}
