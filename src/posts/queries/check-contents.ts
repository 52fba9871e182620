import { randomUUIDv7 } from 'node:crypto';
import { scheduler } from 'node:timers/promises';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { BrandNotFound } from '#libs/auth';
import type { Finding, Instant, Platform, RenditionSpec } from '#libs/content';
import { EventStore } from '#libs/event-store';
import { GetBrand } from '../../brands/index.js';
import type { TextLength } from '../../integrations/index.js';
import { renditionsOf, textLengthOf } from '../../integrations/index.js';
import type { PreflightRequest } from '../content/content-preflight.js';
import { contentToCheck, preflight } from '../content/content-preflight.js';
import { PreflightRequests } from '../content/preflight-requests.js';
import { decideAll } from '../domain/batch.js';
import type { PostContent } from '../domain/post.events.js';
import type { PostWarning } from '../domain/warnings.js';
import { FindPostWarnings } from './find-post-warnings.js';

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
 * What several networks would refuse about contents that are not saved.
 * @throws BrandNotFound, ScopeIsMissing; BatchIsRefused for ids that do not exist in the brand
 */
export class CheckContents extends Query<ContentReport[]> {
  constructor(readonly request: ContentsToCheck) {
    super();
  }
}

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
    private readonly preflights: PreflightRequests,
    private readonly store: EventStore,
  ) {}

  async execute({ request }: CheckContents): Promise<ContentReport[]> {
    const { brandId, contents } = request;
    if (brandId !== null) return this.ofBrand(brandId, request);
    const reports: ContentReport[] = [];
    for (const content of contents) {
      // The rules need tens of milliseconds for a text of the largest size.
      await scheduler.yield();
      reports.push(reportOf({ ...content, media: [], account: null }));
    }
    return reports;
  }

  private async ofBrand(brandId: string, { contents, caller }: ContentsToCheck): Promise<ContentReport[]> {
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    caller.must('posts.write', { organizationId, brandId }, () => new BrandNotFound());
    const written = contents.map((content) => ({ ...content, authorId: caller.id }));
    const requests = decideAll(await this.preflights.ofAll(brandId, written));
    const creation = { brandId, organizationId, caller, createdAt: await this.store.now() };
    const reports: ContentReport[] = [];
    for (const [index, content] of contents.entries()) {
      const report = reportOf(requests[index] as PreflightRequest);
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

function reportOf(request: PreflightRequest): ContentReport {
  const { platform, content } = request;
  const asChecked = contentToCheck(request);
  const specs = request.media.length === 0 ? [] : renditionsOf(platform, asChecked);
  return {
    platform,
    findings: preflight(request),
    textLength: textLengthOf(platform, asChecked),
    files: content.mediaIds.map((mediaId, index) => ({ mediaId, spec: specs[index] ?? null })),
    warnings: [],
  };
}
