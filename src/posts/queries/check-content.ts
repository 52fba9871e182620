import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { BrandNotFound } from '#libs/auth';
import type { Finding, Platform } from '#libs/content';
import { GetBrand } from '../../brands/index.js';
import { preflight } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import type { PostContent } from '../domain/post.events.js';

export interface ContentToCheck {
  readonly platform: Platform;
  readonly content: PostContent;
  /** Required with files. */
  readonly brandId: string | null;
  readonly caller: Caller;
}

/**
 * What the network would refuse about a content that is not saved.
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
    private readonly queries: QueryBus,
    private readonly preflights: PreflightRequests,
  ) {}

  async execute({ request }: CheckContent): Promise<readonly Finding[]> {
    const { platform, content, brandId, caller } = request;
    if (brandId === null) return preflight({ platform, content, media: [], account: null });
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    caller.must('posts.write', { organizationId, brandId }, () => new BrandNotFound());
    return preflight(await this.preflights.of({ brandId, platform, authorId: caller.id, content }));
  }
}
