import type { JournalRecord, Persistent } from '../../journal.js';
import type { Snowflakes } from './snowflake.js';

export interface XPost {
  readonly id: string;
  readonly authorId: string;
  /** As it was sent, in NFC. What the wire shows is `wireText`. */
  readonly text: string;
  readonly createdAt: string;
  readonly inReplyTo: string | null;
  /** Of the uploads that it shows. Absent: none. */
  readonly mediaIds?: readonly string[];
  /** Id of the post that the thread began with. */
  readonly conversationId: string;
}

/** All published posts, oldest first; the oldest are dropped above the maximum. */
export class XPosts implements Persistent {
  private readonly byId = new Map<string, XPost>();
  private readonly authors = new Map<string, XPost[]>();
  /** Author, then text, to the newest post with it. */
  private readonly texts = new Map<string, Map<string, XPost>>();

  constructor(
    private readonly ids: Snowflakes,
    private readonly capacity: number,
  ) {}

  get size(): number {
    return this.byId.size;
  }

  find(id: string): XPost | undefined {
    return this.byId.get(id);
  }

  /** Oldest first. */
  by(authorId: string): readonly XPost[] {
    return this.authors.get(authorId) ?? [];
  }

  newestWithText(authorId: string, text: string): XPost | undefined {
    return this.texts.get(authorId)?.get(text);
  }

  add(draft: Omit<XPost, 'id' | 'conversationId'>): XPost {
    const id = this.ids.next();
    const parent = draft.inReplyTo === null ? undefined : this.byId.get(draft.inReplyTo);
    const post = { id, ...draft, conversationId: parent?.conversationId ?? id };
    this.keep(post);
    return post;
  }

  remove(post: XPost): void {
    this.byId.delete(post.id);
    const posts = this.authors.get(post.authorId) ?? [];
    const index = posts[0] === post ? 0 : posts.lastIndexOf(post);
    if (index === 0) posts.shift();
    else if (index > 0) posts.splice(index, 1);
    const texts = this.texts.get(post.authorId);
    if (texts?.get(post.text) === post) texts.delete(post.text);
  }

  clear(): void {
    for (const map of [this.byId, this.authors, this.texts]) map.clear();
  }

  restore(record: JournalRecord): void {
    if (record.kind === 'x.post') {
      const post = record.post as XPost;
      this.ids.passed(post.id);
      this.keep(post);
    } else if (record.kind === 'x.post.deleted') {
      const post = this.byId.get(String(record.id));
      if (post) this.remove(post);
    }
  }

  *snapshot(): Generator<JournalRecord> {
    for (const post of this.byId.values()) yield { kind: 'x.post', post };
  }

  private keep(post: XPost): void {
    this.byId.set(post.id, post);
    entry(this.authors, post.authorId, () => []).push(post);
    // Every upload has an id of its own, so that no two posts with media are the same.
    if (!post.mediaIds) entry(this.texts, post.authorId, () => new Map<string, XPost>()).set(post.text, post);
    if (this.byId.size <= this.capacity) return;
    const [oldest] = this.byId.values();
    if (oldest) this.remove(oldest);
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
