import { Injectable } from '@nestjs/common';
import { BoundedQueue, runInThread, type ThreadLimits, type ThreadResult } from '#libs/concurrency';
import type { Feed, FeedDocument } from './parsing/read-feed.js';

/** A feed of the largest size takes a tenth of a second; a busy machine is slower. */
const LIMITS: ThreadLimits = { milliseconds: 10_000, megabytes: 128 };
const THREADS = 2;
const MAX_WAITING = 64;
const THREAD = new URL('./parsing/thread-entry.js', import.meta.url);

export type ParsedFeed =
  | { readonly kind: 'parsed'; readonly feed: Feed }
  | { readonly kind: 'refused'; readonly code: 'not_a_feed' | 'feed_too_complex' | 'too_many_feeds' };

class TooManyFeeds extends Error {}

/** Parses feeds in threads: a hostile one can exhaust its own time and memory, but not those of the process. */
@Injectable()
export class FeedParser {
  private readonly queue = new BoundedQueue(
    THREADS,
    { total: MAX_WAITING, perOrigin: MAX_WAITING / 4, unknownTotal: MAX_WAITING },
    () => new TooManyFeeds(),
  );

  /** @param origin organizations share the waiting places */
  async parse(document: FeedDocument, origin: string): Promise<ParsedFeed> {
    try {
      const result = await this.queue.run({ name: origin }, () => this.run(document));
      if (result.kind === 'done') return { kind: 'parsed', feed: result.output as Feed };
      return { kind: 'refused', code: result.reason === 'error' ? 'not_a_feed' : 'feed_too_complex' };
    } catch (error) {
      if (error instanceof TooManyFeeds) return { kind: 'refused', code: 'too_many_feeds' };
      throw error;
    }
  }

  /** Each feed has a thread of its own. Replaced in tests. */
  protected run(document: FeedDocument): Promise<ThreadResult> {
    return runInThread(THREAD, LIMITS, document);
  }
}
