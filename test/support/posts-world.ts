import { randomUUID } from 'node:crypto';
import type { FailureReport } from '#libs/content';
import { anEventMetadata } from '#libs/event-store/testing';
import {
  hold,
  recordFailed,
  recordPublished,
  resolve,
  startAttempt,
} from '../../src/posts/domain/delivery.js';
import type { PostEvent } from '../../src/posts/domain/post.events.js';
import type { Post } from '../../src/posts/domain/post.js';
import { fingerprintOf } from '../../src/posts/content/content-fingerprint.js';
import { Posts } from '../../src/posts/posts.stream.js';
import type { BusinessApi } from './business-api.js';
import type { Call } from './call.js';
import { aFailure } from './post-histories.js';

/** A time of day some days ahead, so that posts of one test need not collide. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** The publisher's operations on posts of a booted API, to bring posts into any state. */
export class PostsWorld {
  constructor(
    readonly api: BusinessApi,
    readonly call: Call,
    readonly brandId: string,
  ) {}

  /** A brand of a new organization, and a person with all permissions in it. */
  static async of(api: BusinessApi): Promise<PostsWorld & { person: ReturnType<BusinessApi['person']> }> {
    const person = api.person();
    const call = api.as(person.token);
    const { body } = await call('POST', '/api/brands', { name: 'Acme' });
    return Object.assign(new PostsWorld(api, call, body.id), { person });
  }

  /** Creates a post; @returns its body */
  async post(fields: object = {}, call = this.call) {
    const text = `Post ${randomUUID()}`;
    const answer = await call('POST', '/api/posts', {
      brandId: this.brandId,
      platform: 'x',
      text,
      ...fields,
    });
    if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /** Begins a thread by a draft far down in it. @returns its id */
  async aThread(): Promise<string> {
    return (await this.post({ threadPosition: 999 })).threadId as string;
  }

  scheduled(fields: object = {}) {
    return this.post({ scheduledAt: inDays(2), ...fields });
  }

  async beingSent(fields: object = {}) {
    const { id } = await this.scheduled(fields);
    return this.startedOf(id as string);
  }

  private async startedOf(id: string) {
    const attemptId = randomUUID();
    await this.publisher(id, (post) => {
      const fingerprint = post.status === 'scheduled' ? fingerprintOf(post.content) : '';
      return startAttempt({ attemptId, connectionId: randomUUID(), fingerprint }, inDays(900))(post);
    });
    return { id, attemptId };
  }

  async published(fields: object = {}, platformPostId: string = randomUUID()) {
    const { id, attemptId } = await this.beingSent(fields);
    const platformPostUrl = `https://x.example/${platformPostId}`;
    await this.publisher(id, recordPublished({ attemptId, platformPostId, platformPostUrl }));
    return { id, platformPostId };
  }

  async failed(failure: Partial<FailureReport> = {}, fields: object = {}) {
    const { id } = await this.scheduled(fields);
    await this.failedBefore(id as string, failure);
    return id as string;
  }

  /** A scheduled post that an attempt failed. */
  async failedBefore(postId: string, failure: Partial<FailureReport> = {}): Promise<void> {
    const { attemptId } = await this.startedOf(postId);
    await this.publisher(postId, recordFailed({ attemptId, failure: aFailure(failure) }));
  }

  unconfirmed() {
    return this.failed({ class: 'unconfirmed', code: 'outcome_unknown' });
  }

  held(postId: string, until: string) {
    return this.publisher(postId, hold({ attemptId: null, until, reason: 'rate_limited' }));
  }

  notDelivered(postId: string) {
    return this.publisher(postId, resolve({ delivered: false }, { type: 'system', id: 'publisher' }));
  }

  async publisher(postId: string, decision: (post: Post) => PostEvent[]): Promise<void> {
    const posts = this.api.service.app.get(Posts, { strict: false });
    await posts.change(postId, () => decision, anEventMetadata({ brandId: this.brandId, channel: 'worker' }));
  }
}
