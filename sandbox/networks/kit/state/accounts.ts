import type { Clock } from '#libs/clock';
import type { Journal } from '../../../ledger/journal.js';
import type { MemberChecks } from './members.js';
import { type RecordOptions, Records } from './records.js';

export interface SandboxPost {
  readonly id: string;
  /** Id of the account whose timeline shows it. */
  readonly authorId: string;
  /** As it was sent. */
  readonly text: string;
  readonly createdAt: string;
  /** Of the uploads that it shows. Absent: none. */
  readonly mediaIds?: readonly string[];
}

/** All published posts, oldest first; the oldest are dropped above the maximum. */
export class Posts<P extends SandboxPost> extends Records<P> {
  private readonly authors = new Map<string, P[]>();
  /** Author, then text, to the newest post with it. */
  private readonly texts = new Map<string, Map<string, P>>();

  /** @param kind of the journal, such as `x.post` */
  constructor(journal: Pick<Journal, 'append'>, kind: string, options: RecordOptions) {
    super(journal, kind, options);
  }

  /** Oldest first. */
  by(authorId: string): readonly P[] {
    return this.authors.get(authorId) ?? [];
  }

  /** Of the posts without media. Every upload has an id of its own, so that no two posts with media are the same. */
  newestWithText(authorId: string, text: string): P | undefined {
    return this.texts.get(authorId)?.get(text);
  }

  override clear(): void {
    super.clear();
    for (const map of [this.authors, this.texts]) map.clear();
  }

  protected override placed(post: P, replaced: P | undefined): void {
    const posts = entry(this.authors, post.authorId, () => []);
    if (replaced) posts.splice(posts.lastIndexOf(replaced), 1, post);
    else posts.push(post);
    if (!post.mediaIds) entry(this.texts, post.authorId, () => new Map<string, P>()).set(post.text, post);
  }

  protected override dropped(post: P): void {
    const posts = this.authors.get(post.authorId) ?? [];
    const index = posts[0] === post ? 0 : posts.lastIndexOf(post);
    if (index === 0) posts.shift();
    else if (index > 0) posts.splice(index, 1);
    const texts = this.texts.get(post.authorId);
    if (texts?.get(post.text) === post) texts.delete(post.text);
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

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
  /** Default the next number of the network. */
  readonly newId?: () => string;
  /** Handles that a person may choose for a new account, and that rule in words. */
  readonly username: RegExp;
  readonly usernameInWords: string;
  /** Of the members that accounts of this network have beyond name and description. */
  readonly members: Partial<MemberChecks<A>>;
  /** Values of members that a draft leaves out, beyond name and description. */
  readonly defaults: Omit<A, keyof SandboxAccount>;
  readonly demo: readonly NewAccount<A>[];
}

/** The accounts of a network by id and by username, which ignores the case of letters. */
export class Accounts<A extends SandboxAccount> extends Records<A> {
  private readonly byHandle = new Map<string, A>();

  constructor(
    journal: Pick<Journal, 'append'>,
    private readonly clock: Clock,
    /** Of the journal, such as `x.account`. */
    kind: string,
    private readonly rules: AccountRules<A> & RecordOptions & { readonly newId: () => string },
  ) {
    super(journal, kind, { passed: rules.passed });
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
