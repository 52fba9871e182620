import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Platform } from '#libs/content';
import { ProviderRegistry } from '../registry/provider-registry.js';

/** Whether the network could have given this id to a post. Says nothing about whether it did; offline. */
export class IsPostId extends Query<boolean> {
  constructor(
    readonly platform: Platform,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(IsPostId)
export class IsPostIdHandler implements IQueryHandler<IsPostId> {
  constructor(private readonly providers: ProviderRegistry) {}

  execute({ platform, id }: IsPostId): Promise<boolean> {
    return Promise.resolve(this.providers.of(platform).isPostId(id));
  }
}
