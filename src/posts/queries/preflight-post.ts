import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Finding, Platform } from '#libs/content';
import type { PostContent } from '../domain/post.events.js';
import { ContentPreflight } from '../content/content-preflight.js';

export interface PreflightPostRequest {
  readonly platform: Platform;
  readonly content: PostContent;
}

/** Checks an unsaved content against the rules of its network. */
export class PreflightPost extends Query<Finding[]> {
  constructor(readonly request: PreflightPostRequest) {
    super();
  }
}

@QueryHandler(PreflightPost)
export class PreflightPostHandler implements IQueryHandler<PreflightPost> {
  constructor(private readonly preflight: ContentPreflight) {}

  execute({ request: { platform, content } }: PreflightPost): Promise<Finding[]> {
    return this.preflight.check(platform, content);
  }
}
