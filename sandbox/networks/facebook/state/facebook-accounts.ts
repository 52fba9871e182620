import type { Clock } from '#libs/clock';
import type { Journal } from '../../../ledger/journal.js';
import { Accounts, type NewAccount, type SandboxAccount } from '../../kit/state/accounts.js';

/** A person, who signs in, or a page, which publishes. */
export interface FacebookAccount extends SandboxAccount {
  readonly kind: 'person' | 'page';
  /** Of a person: handles of pages on which the person has every task. They are created with the person. */
  readonly pages: readonly string[];
  /** Of a page: what persons may do on it, by their ids. */
  readonly tasks: Readonly<Record<string, readonly string[]>>;
}

export const TASKS = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'];
export const USERNAME = /^[A-Za-z0-9.]{3,50}$/;
export const USERNAME_IN_WORDS = '3 to 50 letters, digits or dots';

const DEMO: readonly NewAccount<FacebookAccount>[] = [
  { username: 'nora.berg', name: 'Nora Berg', pages: ['northwindcoffee', 'harborbooks'] },
  { username: 'luca.marin', name: 'Luca Marin', pages: ['lumenstudio'] },
];

const PAGE_NAMES: Readonly<Record<string, string>> = {
  northwindcoffee: 'Northwind Coffee',
  harborbooks: 'Harbor Books',
  lumenstudio: 'Lumen Studio',
};

export interface Ids {
  next(): string;
  passed(id: string): void;
}

/** Persons and their pages. A person who is created without pages gets one. */
export class FacebookAccounts extends Accounts<FacebookAccount> {
  constructor(journal: Pick<Journal, 'append'>, clock: Clock, ids: Ids) {
    super(journal, clock, {
      kind: 'facebook.account',
      newId: () => ids.next(),
      passed: (id) => ids.passed(id),
      defaults: { kind: 'person', pages: [], tasks: {} },
      demo: DEMO,
    });
  }

  override create(draft: NewAccount<FacebookAccount>): FacebookAccount {
    if (draft.kind === 'page') return super.create(draft);
    const pages = draft.pages ?? [`${draft.username}.page`];
    const person = super.create({ ...draft, pages });
    for (const username of pages) {
      const page =
        this.byUsername(username) ??
        super.create({ username, kind: 'page', name: PAGE_NAMES[username] ?? username });
      this.allow(page, person, TASKS);
    }
    return person;
  }

  pagesOf(person: FacebookAccount): FacebookAccount[] {
    return [...this.all].filter(({ kind, tasks }) => kind === 'page' && (tasks[person.id] ?? []).length > 0);
  }

  /** @param tasks none: the person has no role on the page any more */
  allow(page: FacebookAccount, person: FacebookAccount, tasks: readonly string[]): FacebookAccount {
    return this.change(page, { tasks: { ...page.tasks, [person.id]: tasks } });
  }
}
