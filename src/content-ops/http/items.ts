import { Injectable } from '@nestjs/common';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Clock } from '#libs/clock';
import { GetPost, PresentWrittenPost, type WrittenPost } from '../../posts/index.js';
import { type ChangedItemDto, ContentItemDto, ItemWarningDto } from './dto/content-item.dto.js';
import { FindBrandsInView } from '../queries/find-brands-in-view.js';

export interface ItemRequest {
  readonly contentId: string;
  readonly caller: Caller;
  /** From X-Brand-ID: items of other brands are not found. */
  readonly brandId?: string;
}

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

  /** Runs the command and returns the item. Write access includes reading the result. */
  async change(request: ItemRequest, command: Command<WrittenPost>): Promise<ChangedItemDto> {
    const scope = 'posts.write';
    const { contentId: postId, caller, brandId } = request;
    await this.brandMustBeInView(request, scope);
    if (brandId) await this.queries.execute(new GetPost({ postId, caller, scope, brandId }));
    const written = await this.commands.execute(command);
    const { item, warnings } = await this.queries.execute(new PresentWrittenPost({ post: written, caller }));
    const changed = ContentItemDto.of(item, this.clock.now());
    return { ...changed, warnings: warnings.map((warning) => ItemWarningDto.of(warning)) };
  }

  /** Checks the brand first, so that a foreign brand reveals nothing about the item. */
  private async brandMustBeInView({ caller, brandId }: ItemRequest, scope: string): Promise<void> {
    if (brandId) await this.queries.execute(new FindBrandsInView({ caller, scopes: [scope], brandId }));
  }
}
