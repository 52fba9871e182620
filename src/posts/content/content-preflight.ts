import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Finding, Platform } from '#libs/content';
import type { Account } from '../../integrations/index.js';
import { PreflightContent } from '../../integrations/index.js';
import type { Blocker, PostContent } from '../domain/post.events.js';

/** There is no media library in this release: of a file only its id is known. */
const NO_FACTS = { contentType: null, bytes: null, width: null, height: null, durationMs: null };

/** What the network's rules say about a content. */
@Injectable()
export class ContentPreflight {
  constructor(private readonly queries: QueryBus) {}

  /** @param account that the post goes out by; null while that is not chosen */
  check(platform: Platform, content: PostContent, account: Account | null = null): Promise<Finding[]> {
    const { text, title, link, target, mediaIds } = content;
    const media = mediaIds.map((id) => ({ id, ...NO_FACTS }));
    return this.queries.execute(
      new PreflightContent(platform, { text, title, link, target, media, account }),
    );
  }

  /** The rules that it breaks for good. */
  async blockers(
    platform: Platform,
    content: PostContent,
    account: Account | null = null,
  ): Promise<Blocker[]> {
    const findings = await this.check(platform, content, account);
    return findings
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, message, pointer }) => ({ ruleId, message, pointer }));
  }
}
