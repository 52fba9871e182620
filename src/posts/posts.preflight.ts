import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Finding, Platform } from '#libs/content';
import { PreflightContent } from '../integrations/index.js';
import type { Blocker, PostContent } from './post.events.js';

/** What the network's rules say about a content. */
@Injectable()
export class PostsPreflight {
  constructor(private readonly queries: QueryBus) {}

  check(platform: Platform, content: PostContent): Promise<Finding[]> {
    const { text, title, link, mediaIds } = content;
    return this.queries.execute(
      new PreflightContent({ platform, text, title, link, mediaCount: mediaIds.length }),
    );
  }

  /** The rules that it breaks for good. */
  async blockers(platform: Platform, content: PostContent): Promise<Blocker[]> {
    const findings = await this.check(platform, content);
    return findings
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, message, pointer }) => ({ ruleId, message, pointer }));
  }
}
