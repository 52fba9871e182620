import { randomUUIDv7 } from 'node:crypto';
import { scheduler } from 'node:timers/promises';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { BrandNotFound } from '#libs/auth';
import type { Finding, Instant, MediaFacts, Platform, RenditionSpec } from '#libs/content';
import { EventStore } from '#libs/event-store';
import { GetBrand } from '../../brands/index.js';
import type { TextLength } from '../../integrations/index.js';
import { renditionsOf, textLengthOf } from '../../integrations/index.js';
import type { Addressee } from '../content/content-accounts.js';
import { ContentAccounts, NOBODY } from '../content/content-accounts.js';
import type { PreflightRequest } from '../content/content-preflight.js';
import { contentToCheck, preflight } from '../content/content-preflight.js';
import { ContentReferences } from '../content/content-references.js';
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

@QueryHandler(CheckContents)
export class CheckContentsHandler implements IQueryHandler<CheckContents> {
  constructor(
    private readonly queries: QueryBus,
    private readonly references: ContentReferences,
    private readonly accounts: ContentAccounts,
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
    const facts = await this.references.ofAll(
      brandId,
      contents.map(({ content }) => content),
    );
    const addressees = await this.accounts.ofAll(
      contents.map((content) => ({ ...content, brandId, authorId: caller.id })),
    );
    const media = decideAll(facts);
    const reports: ContentReport[] = [];
    for (const [index, content] of contents.entries()) {
      const report = reportOf(requestOf(content, media[index], addressees[index]));
      const warnings = await this.warnings(content, report, { brandId, organizationId, caller });
      reports.push({ ...report, warnings });
    }
    return reports;
  }

  /** As after the creation of a post with this content. */
  private async warnings(
    { platform, content, scheduledAt }: ContentToReport,
    { findings }: ContentReport,
    { brandId, organizationId, caller }: { brandId: string; organizationId: string; caller: Caller },
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
      createdAt: await this.store.now(),
      findings,
    };
    return this.queries.execute(new FindPostWarnings({ post, caller }));
  }
}

const requestOf = (
  { platform, content }: ContentToReport,
  media: readonly MediaFacts[] = [],
  addressee: Addressee = NOBODY,
): PreflightRequest => ({ platform, content, media, ...addressee });

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
