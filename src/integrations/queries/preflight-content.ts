import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Finding, Platform } from '#libs/content';
import { ProviderRegistry } from '../providers/provider-registry.js';

export interface ContentToCheck {
  readonly platform: Platform;
  readonly text: string;
  readonly title?: string | null;
  readonly link?: string | null;
  readonly mediaCount: number;
}

/** What the network would refuse or change about this content, in the order of the rules; empty when nothing. Pure, fast, offline. */
export class PreflightContent extends Query<Finding[]> {
  constructor(readonly content: ContentToCheck) {
    super();
  }
}

@QueryHandler(PreflightContent)
export class PreflightContentHandler implements IQueryHandler<PreflightContent> {
  constructor(private readonly providers: ProviderRegistry) {}

  execute({ content }: PreflightContent): Promise<Finding[]> {
    return Promise.resolve(this.providers.of(content.platform).preflight(content));
  }
}
