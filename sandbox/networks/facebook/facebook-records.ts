import type { MediaContent } from '../kit/media/media-content.js';
import { Accounts, type NewAccount, type SandboxAccount } from '../kit/state/accounts.js';

/** A person, who signs in, or a page, which publishes. */
export interface FacebookAccount extends SandboxAccount {
  readonly kind: 'person' | 'page';
  /** Of a person: handles of pages on which the person has every task. They are created with the person. */
  readonly pages: readonly string[];
  /** Of a page: what persons may do on it, by their ids. */
  readonly tasks: Readonly<Record<string, readonly string[]>>;
}

export const TASKS = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'];

const PAGE_NAMES: Readonly<Record<string, string>> = {
  northwindcoffee: 'Northwind Coffee',
  harborbooks: 'Harbor Books',
  lumenstudio: 'Lumen Studio',
};

/** Persons and their pages. A person who is created without pages gets one. */
export class FacebookAccounts extends Accounts<FacebookAccount> {
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

/** A photo or a video of a page. Instants in epoch milliseconds. */
export interface FacebookUpload {
  readonly id: string;
  readonly pageId: string;
  readonly kind: 'photo' | 'video' | 'reel';
  /** null: the bytes are not complete, or could not be read. */
  readonly content: MediaContent | null;
  readonly altText: string | null;
  /** The post that shows it; null: none yet. */
  readonly postId: string | null;
  /** An unpublished upload is gone afterwards. */
  readonly expiresAt: number;
  /** Of a video. */
  readonly session?: string;
  readonly totalBytes?: number;
  /** Offsets of the parts that have arrived, each with its length. */
  readonly parts?: Readonly<Record<string, number>>;
  /** Set when the video is published. */
  readonly processedAt?: number;
  readonly processingError?: string | null;
  readonly isAiGenerated?: boolean;
}

export const fileOf = (id: string): string => `facebook-${id}`;
export const partOf = (id: string, offset: string | number): string => `facebook-${id}.${offset}`;

/** Bytes from the beginning without a gap. */
export function receivedOf({ parts = {} }: FacebookUpload): number {
  let received = 0;
  for (let length = parts[0]; length !== undefined; length = parts[received]) received += length;
  return received;
}
