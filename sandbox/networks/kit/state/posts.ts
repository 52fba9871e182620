import type { Journal } from '../../../ledger/journal.js';
import { type RecordOptions, Records } from './records.js';

/** What every network keeps of a published post. */
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
