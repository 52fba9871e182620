import { Injectable } from '@nestjs/common';
import type { Finding, MediaFacts } from '#libs/content';
import { settled } from '../domain/batch.js';
import type { PostContent } from '../domain/post.events.js';
import type { ExistingPost } from '../domain/post.js';
import { PostFiles } from '../media/post-files.js';
import { PostRenditions } from '../media/post-renditions.js';
import {
  type AddressedContent,
  ContentAccounts,
  UNRESOLVED,
  type ResolvedAccount,
} from './content-accounts.js';
import { preflight, type PreflightRequest } from './content-preflight.js';
import { ContentReferences } from './content-references.js';

export interface ContentOfBrand extends AddressedContent {
  readonly content: PostContent;
}

/** Looks up what the rules of networks depend on: the files of a content, what became of them, and the account that it names. */
@Injectable()
export class PreflightRequests {
  constructor(
    private readonly references: ContentReferences,
    private readonly accounts: ContentAccounts,
    private readonly files: PostFiles,
    private readonly renditions: PostRenditions,
  ) {}

  /**
   * @param before of the post: its ids stay allowed, even if they no longer exist
   * @throws ReferenceIsNotFound, MediaIsNotReady
   */
  async of(written: ContentOfBrand, before: PostContent | null = null): Promise<PreflightRequest> {
    const media = await this.references.check(written.brandId, written.content, before);
    return this.complete(requestOf(written, media, await this.accounts.of(written)));
  }

  /** For each content a function that returns its request or throws as `of`. */
  async ofAll(
    brandId: string,
    contents: readonly Omit<ContentOfBrand, 'brandId'>[],
  ): Promise<(() => PreflightRequest)[]> {
    const written = contents.map((each) => ({ ...each, brandId }));
    const facts = await this.references.ofAll(
      brandId,
      written.map(({ content }) => content),
    );
    const addressees = await this.accounts.ofAll(written);
    const requests = written.map((each, index) =>
      settled(() => requestOf(each, facts[index]?.(), addressees[index])),
    );
    const accepted = requests.flatMap(valueOf);
    const found = await this.renditions.findings(accepted);
    const findings = new Map(accepted.map((request, index) => [request, found[index]]));
    return requests.map((each) => () => {
      const request = each();
      return { ...request, ofRenditions: findings.get(request) };
    });
  }

  /** Of a stored content: ids that no longer exist are findings. */
  async ofStored(stored: ContentOfBrand): Promise<PreflightRequest> {
    const { brandId, content } = stored;
    const media = await this.files.of({ brandId, mediaIds: content.mediaIds });
    return this.complete(requestOf(stored, media, await this.accounts.of(stored)));
  }

  /**
   * What the current rules say of a stored draft that is to enter the queue: what was recorded with it can be outdated. undefined for
   * other posts: a new time has their files tried once more.
   */
  async findingsOfDraft(post: ExistingPost): Promise<Finding[] | undefined> {
    return post.status === 'draft' ? preflight(await this.ofStored(post)) : undefined;
  }

  private async complete(request: PreflightRequest): Promise<PreflightRequest> {
    const [ofRenditions] = await this.renditions.findings([request]);
    return { ...request, ofRenditions };
  }
}

/** None if it throws. */
function valueOf<Result>(result: () => Result): Result[] {
  try {
    return [result()];
  } catch {
    return [];
  }
}

const requestOf = (
  { platform, content }: ContentOfBrand,
  media: readonly MediaFacts[] = [],
  addressee: ResolvedAccount = UNRESOLVED,
): PreflightRequest => ({ platform, content, media, ...addressee });
