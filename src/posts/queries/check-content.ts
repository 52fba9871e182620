import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { BrandNotFound } from '#libs/auth';
import type { Finding, MediaFacts, Platform } from '#libs/content';
import { GetBrand } from '../../brands/index.js';
import { ContentAccounts, NOBODY } from '../content/content-accounts.js';
import { preflight } from '../content/content-preflight.js';
import { ContentReferences } from '../content/content-references.js';
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
    private readonly references: ContentReferences,
    private readonly accounts: ContentAccounts,
  ) {}

  async execute({ request }: CheckContent): Promise<readonly Finding[]> {
    const { platform, content, brandId, caller } = request;
    const media = await this.files(request);
    const addressee =
      brandId === null ? NOBODY : await this.accounts.of({ brandId, platform, authorId: caller.id, content });
    return preflight({ platform, content, media, ...addressee });
  }

  private async files({ brandId, content, caller }: ContentToCheck): Promise<readonly MediaFacts[]> {
    if (brandId === null) return [];
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    caller.must('posts.write', { organizationId, brandId }, () => new BrandNotFound());
    return this.references.check(brandId, content);
  }
}
