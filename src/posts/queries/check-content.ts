import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Finding, Instant, Platform } from '#libs/content';
import { EventStore } from '#libs/event-store';
import { BrandPosts } from '../commands/brand-posts.js';
import { creationFindings, preflight } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import type { PostContent } from '../domain/post.events.js';

export interface ContentToCheck {
  readonly platform: Platform;
  readonly content: PostContent;
  readonly scheduledAt: Instant | null;
  /** Required with files. */
  readonly brandId: string | null;
  readonly caller: Caller;
}

/**
 * What its network, or the creation of the post, would refuse about a content that is not saved.
 * @throws BrandNotFound, ScopeIsMissing, ReferenceIsNotFound, MediaIsNotReady
 */
export class CheckContent extends Query<readonly Finding[]> {
  constructor(readonly request: ContentToCheck) {
    super();
  }
}

@QueryHandler(CheckContent)
export class CheckContentHandler implements IQueryHandler<CheckContent> {
  constructor(
    private readonly brands: BrandPosts,
    private readonly preflights: PreflightRequests,
    private readonly store: EventStore,
  ) {}

  async execute({ request }: CheckContent): Promise<readonly Finding[]> {
    const findings = preflight(await this.asCreated(request));
    return [...findings, ...creationFindings(request, await this.store.now())];
  }

  private async asCreated({ platform, content, scheduledAt, brandId, caller }: ContentToCheck) {
    if (brandId === null) return { platform, content, media: [], account: null };
    await this.brands.authorize(brandId, caller, scheduledAt !== null && !caller.isAutomation);
    return this.preflights.of({ brandId, platform, authorId: caller.id, content });
  }
}
