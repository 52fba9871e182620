import { randomUUIDv7 } from 'node:crypto';
import { scheduler } from 'node:timers/promises';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { Finding, Instant, Platform, RenditionSpec } from '#libs/content';
import { EventStore } from '#libs/event-store';
import { RequestQuery } from '#libs/messages';
import { renditionsOf, type TextLength, textLengthOf } from '../../integrations/index.js';
import { BrandPosts } from '../commands/brand-posts.js';
import {
  contentToCheck,
  creationFindings,
  findingsOf,
  preflight,
  type PreflightRequest,
} from '../content/content-preflight.js';
import { PostsDestinations } from '../content/posts.destinations.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import { AccountIsNamedTwice, decideAll } from '../domain/batch.js';
import type { PostContent } from '../domain/post.events.js';
import type { PostWarning } from '../domain/warnings.js';
import { FindPostWarnings } from './find-post-warnings.js';

interface ContentToCheck {
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
export class CheckContent extends RequestQuery<ContentToCheck, readonly Finding[]> {}

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

export interface ContentToReport {
  readonly platform: Platform;
  readonly content: PostContent;
  readonly scheduledAt: Instant | null;
}

export interface ContentsToCheck {
  readonly contents: readonly ContentToReport[];
  /** Required with files and for named connections. */
  readonly brandId: string | null;
  readonly caller: Caller;
}

export interface FileReport {
  readonly mediaId: string;
  /** What the network would get; null: it takes nothing that can be made of the file. */
  readonly spec: RenditionSpec | null;
}

/** What one content would need to be published on its network. */
export interface ContentReport {
  readonly platform: Platform;
  readonly findings: readonly Finding[];
  /** null: the rules of the network cannot tell. */
  readonly textLength: TextLength | null;
  readonly files: readonly FileReport[];
  /** Empty without a brand. */
  readonly warnings: readonly PostWarning[];
}

/**
 * What several networks, or the creation of the posts, would refuse about contents that are not saved.
 * @throws BrandNotFound, ScopeIsMissing; BatchIsRefused for ids that do not exist in the brand
 */
export class CheckContents extends RequestQuery<ContentsToCheck, ContentReport[]> {}

/** As if the posts were created now. */
interface Creation {
  readonly brandId: string;
  readonly organizationId: string;
  readonly caller: Caller;
  readonly createdAt: Instant;
}

@QueryHandler(CheckContents)
export class CheckContentsHandler implements IQueryHandler<CheckContents> {
  constructor(
    private readonly queries: QueryBus,
    private readonly brands: BrandPosts,
    private readonly preflights: PreflightRequests,
    private readonly destinations: PostsDestinations,
    private readonly store: EventStore,
  ) {}

  async execute({ request }: CheckContents): Promise<ContentReport[]> {
    const { brandId, contents } = request;
    if (brandId !== null) return this.ofBrand(brandId, request);
    const reports: ContentReport[] = [];
    const now = await this.store.now();
    for (const content of contents) {
      // The rules need tens of milliseconds for a text of the largest size.
      await scheduler.yield();
      reports.push(reportOf({ ...content, media: [], account: null }, creationFindings(content, now)));
    }
    return reports;
  }

  private async ofBrand(brandId: string, { contents, caller }: ContentsToCheck): Promise<ContentReport[]> {
    const setsTime = !caller.isAutomation && contents.some(({ scheduledAt }) => scheduledAt !== null);
    const { organizationId } = await this.brands.authorize(brandId, caller, setsTime);
    const written = contents.map((content) => ({ ...content, brandId, authorId: caller.id }));
    const requests = decideAll(await this.preflights.ofAll(brandId, written));
    const duplicates = await this.destinations.duplicatesIn(written);
    const createdAt = await this.store.now();
    const creation = { brandId, organizationId, caller, createdAt };
    const reports: ContentReport[] = [];
    for (const [index, content] of contents.entries()) {
      const report = reportOf(requests[index] as PreflightRequest, [
        ...creationFindings(content, createdAt),
        ...duplicateFindings(duplicates[index]),
      ]);
      reports.push({ ...report, warnings: await this.warnings(content, report, creation) });
    }
    return reports;
  }

  /** As after the creation of a post with this content. */
  private async warnings(
    { platform, content, scheduledAt }: ContentToReport,
    { findings }: ContentReport,
    { brandId, organizationId, caller, createdAt }: Creation,
  ): Promise<PostWarning[]> {
    const post = {
      id: randomUUIDv7(),
      brandId,
      organizationId,
      platform,
      authorId: caller.id,
      target: content.target,
      text: content.text,
      status: scheduledAt === null ? ('draft' as const) : ('scheduled' as const),
      scheduledAt,
      proposedTime: null,
      publishedAt: null,
      threadId: null,
      threadPosition: null,
      createdAt,
      findings,
    };
    return this.queries.execute(new FindPostWarnings({ post, caller }));
  }
}

const duplicateFindings = (duplicateOf: number | null = null): Finding[] =>
  duplicateOf === null ? [] : findingsOf(new AccountIsNamedTwice(duplicateOf));

/** @param creation what else refuses the creation of the post */
function reportOf(request: PreflightRequest, creation: readonly Finding[]): ContentReport {
  const { platform, content } = request;
  const asChecked = contentToCheck(request);
  const specs = request.media.length === 0 ? [] : renditionsOf(platform, asChecked);
  return {
    platform,
    findings: [...preflight(request), ...creation],
    textLength: textLengthOf(platform, asChecked),
    files: content.mediaIds.map((mediaId, index) => ({ mediaId, spec: specs[index] ?? null })),
    warnings: [],
  };
}
