import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Clock } from '#libs/clock';
import type { WrittenPost } from '../../posts/index.js';
import { GetPost, PresentWrittenPost } from '../../posts/index.js';
import type { ChangedItemDto } from '../dto/content-item.dto.js';
import { ContentItemDto, ItemWarningDto } from '../dto/content-item.dto.js';
import { FindBrandsInView } from '../queries/find-brands-in-view.js';

/** Which item a request is about, and whose request it is. */
export interface ItemRequest {
  readonly contentId: string;
  readonly caller: Caller;
  /** Named by X-Brand-ID: an item of another brand does not exist then. */
  readonly brandId?: string;
}

/** What the operations on one item have in common. */
@Injectable()
export class Items {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  async read(request: ItemRequest): Promise<ContentItemDto> {
    await this.brandMustBeInView(request, 'posts.read');
    const { contentId: postId, caller, brandId } = request;
    const item = await this.queries.execute(new GetPost({ postId, caller, brandId }));
    return ContentItemDto.of(item, this.clock.now());
  }

  /** The item as the command leaves it; readable to everybody who may write it. */
  async change(request: ItemRequest, command: Command<WrittenPost>): Promise<ChangedItemDto> {
    const scope = 'posts.write';
    const { contentId: postId, caller, brandId } = request;
    await this.brandMustBeInView(request, scope);
    if (brandId) await this.queries.execute(new GetPost({ postId, caller, scope, brandId }));
    const written = await this.commands.execute(command);
    const { item, warnings } = await this.queries.execute(new PresentWrittenPost(written, caller));
    const changed = ContentItemDto.of(item, this.clock.now());
    return { ...changed, warnings: warnings.map((warning) => ItemWarningDto.of(warning)) };
  }

  /** A foreign brand is not found before anything is said about the item. */
  private async brandMustBeInView({ caller, brandId }: ItemRequest, scope: string): Promise<void> {
    if (brandId) await this.queries.execute(new FindBrandsInView({ caller, scopes: [scope], brandId }));
  }
}
