import { randomUUID } from 'node:crypto';
import { anEventMetadata } from '#libs/event-store/testing';
import type { PostEvent } from '../../src/posts/domain/post.events.js';
import { Posts } from '../../src/posts/posts.stream.js';
import type { BusinessApi } from './business-api.js';
import type { ApiResponse, Call } from './call.js';

export const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** One organization with a brand, a person who owns it, and an automation that suggests. */
export class ContentStage {
  private texts = 0;

  private constructor(
    readonly api: BusinessApi,
    readonly organizationId: string,
    readonly token: string,
    readonly brandId: string,
    /** A service principal. */
    readonly suggesterToken: string,
  ) {}

  static async set(api: BusinessApi, timezone = 'UTC'): Promise<ContentStage> {
    const { token, organizationId } = api.person();
    const brand = await api.as(token)('POST', '/api/brands', { name: 'Acme', timezone });
    const suggester = api.identity.service({ organization: { id: organizationId } });
    return new ContentStage(api, organizationId, token, brand.body.id as string, suggester);
  }

  get person(): Call {
    return this.api.as(this.token);
  }

  get suggester(): Call {
    return this.api.as(this.suggesterToken);
  }

  /** A key of an API key principal of the organization: two calls give a key and its successor by rotation. */
  keyOf(id: string): Call {
    return this.api.withKey(this.api.identity.apiKey({ id, organization: { id: this.organizationId } }));
  }

  /** An API key of the organization, with these scopes and bound to these brands. */
  key(scopes?: readonly string[], brandIds: readonly string[] | null = null): Call {
    return this.api.withKey(
      this.api.identity.apiKey({ organization: { id: this.organizationId, scopes, brandIds } }),
    );
  }

  async anotherBrand(timezone = 'UTC'): Promise<string> {
    return (await this.person('POST', '/api/brands', { name: 'Other', timezone })).body.id as string;
  }

  async suggestion(scheduledAt?: string, more: object = {}): Promise<string> {
    return idOf(await this.suggester('POST', '/api/posts', this.body({ scheduledAt, ...more })));
  }

  async draft(more: object = {}): Promise<string> {
    return idOf(await this.person('POST', '/api/posts', this.body(more)));
  }

  scheduled(scheduledAt: string = inHours(5), more: object = {}): Promise<string> {
    return this.draft({ scheduledAt, ...more });
  }

  /** Scheduled, and an attempt to send it has begun. */
  async beingSent(): Promise<string> {
    const id = await this.scheduled();
    await this.record(id, [this.attempt(id)]);
    return id;
  }

  async failed(kind = 'permanent'): Promise<string> {
    const id = await this.scheduled();
    const attempt = this.attempt(id);
    const failure = {
      code: 'refused',
      class: kind,
      networkCode: '403',
      message: 'It was refused.',
      nextStep: 'Edit it.',
    };
    const { postId, brandId, attemptId } = attempt.data;
    const failed = { type: 'PostPublishFailed', data: { postId, brandId, attemptId, failure } } as PostEvent;
    await this.record(id, [attempt, failed]);
    return id;
  }

  async published(): Promise<string> {
    const id = await this.scheduled();
    const attempt = this.attempt(id);
    const { postId, brandId, attemptId } = attempt.data;
    const live = { platformPostId: '99', platformPostUrl: null };
    await this.record(id, [
      attempt,
      { type: 'PostPublished', data: { postId, brandId, attemptId, ...live } },
    ]);
    return id;
  }

  private attempt(id: string) {
    const data = {
      postId: id,
      brandId: this.brandId,
      attemptId: randomUUID(),
      connectionId: randomUUID(),
      fingerprint: 'f',
    };
    return { type: 'PublishAttemptStarted', data } as const;
  }

  /** Records events as the publisher does. */
  private async record(id: string, events: PostEvent[]): Promise<void> {
    const { organizationId, brandId } = this;
    const metadata = anEventMetadata({
      organizationId,
      brandId,
      actor: { type: 'system', id: 'publisher' },
      channel: 'worker',
    });
    await this.api.service.app.get(Posts, { strict: false }).change(id, () => () => events, metadata);
  }

  private body(more: object): object {
    return { brandId: this.brandId, platform: 'x', text: `Post ${++this.texts} of ${this.brandId}`, ...more };
  }
}

function idOf(answer: ApiResponse): string {
  if (answer.status !== 201) throw new Error(`Not created: ${answer.status} ${answer.text}`);
  return answer.body.id as string;
}
