import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Finding, Platform } from '#libs/content';
import type { ContentToCheck } from '../provider.js';
import { ProviderRegistry } from '../registry/provider-registry.js';

/** What the network would refuse or change about this content, in the order of the rules; empty when nothing. Pure, fast, offline. */
export class PreflightContent extends Query<Finding[]> {
  constructor(
    readonly platform: Platform,
    readonly content: ContentToCheck,
  ) {
    super();
  }
}

@QueryHandler(PreflightContent)
export class PreflightContentHandler implements IQueryHandler<PreflightContent> {
  constructor(private readonly providers: ProviderRegistry) {}

  execute({ platform, content }: PreflightContent): Promise<Finding[]> {
    return Promise.resolve(this.providers.of(platform).preflight(content));
  }
}
