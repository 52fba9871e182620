import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { BrandId, BrandNotFound, type Caller, CurrentCaller, namedBrand, RequiresScopes } from '#libs/auth';
import {
  BEARER_AUTH,
  type CursorKey,
  Idempotent,
  IfMatch,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsEtag,
  ReturnsPage,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { GetBrand } from '../../brands/index.js';
import { CreatePost } from '../commands/create-post.js';
import { DeletePost } from '../commands/scheduling.js';
import { UpdatePost } from '../commands/update-post.js';
import { CreatePostDto, UpdatePostDto } from './dto/write-post.dto.js';
import { ListPostsQuery } from './dto/list-posts.dto.js';
import { PostDto, WrittenPostDto } from './dto/post.dto.js';
import { newPostIn, updateIn } from './dto/requests.js';
import type { PostItem, WrittenPost } from '../views/post-item.js';
import { GetPost, PresentWrittenPost } from '../queries/get-post.js';
import { keyOf, ListPosts } from '../queries/list-posts.js';
import { PostNotFound, PostIsPublished } from '../domain/post.errors.js';
import { PublishingInProgress, DeliveryIsUnconfirmed } from '../domain/delivery.errors.js';
import { BrandHasMoved, MediaIsNotReady } from '../domain/reference.errors.js';
import { ThreadPositionIsTaken } from '../domain/thread.js';

/** Part of the ETag: changes with the preceding part of the thread and with the files. */
const otherResourcesIn = ({ blockedBy, media, blockers }: PostDto) =>
  media.length > 0 ? { blockedBy, media, blockers } : blockedBy;
const BRAND_HEADER = { name: 'X-Brand-ID', required: false, description: 'The brand it is about.' };

@ApiTags('Posts')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/posts')
export class PostsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get()
  @RequiresScopes('posts.read')
  @ApiOperation({
    operationId: 'listPosts',
    summary: 'List posts',
    description:
      'Of all brands the caller may see, newest first; with `threadId` the posts of that thread in their order, with `from` or `to` in the order of the calendar, earliest first. Up to 1 000 are counted: where there are more, `pagination.totalExceeds` is 1000 and `pagination.total` is left out.',
  })
  @ApiHeader(BRAND_HEADER)
  @ReturnsPage(PostDto, 'One page of posts.')
  @problemResponses(BrandNotFound)
  async listPosts(
    @Query() query: ListPostsQuery,
    @BrandId() brandId: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<PostDto>> {
    if (brandId) await this.mustSee(brandId, caller);
    const filters = query.filters(brandId);
    const list = { list: 'posts', filters: { ...filters }, keyOf: (post: PostItem) => keyOf(post, filters) };
    const load = async (after: CursorKey | null, limit: number) => {
      const asked = { caller, filters, after, limit, includeTotal: query.includeTotal };
      const { posts: rows, ...totals } = await this.queries.execute(new ListPosts(asked));
      return { rows, ...totals };
    };
    return this.pages.page(list, query, load, (post) => PostDto.of(post));
  }

  @Post()
  @RequiresScopes('posts.write')
  @Idempotent()
  @ReturnsEtag(otherResourcesIn)
  @ApiOperation({
    operationId: 'createPost',
    summary: 'Create a post',
    description:
      'Creates a draft, or a scheduled post if it has a future time, which also needs calendar.write. From a service principal, or with `origin: "suggestion"`, the post is a draft with pending approval and its time is a proposal. Content that violates a network rule is refused for scheduled posts; a draft is saved with warnings.',
  })
  @ApiHeader(BRAND_HEADER)
  @ApiCreatedResponse({ type: WrittenPostDto, description: 'The new post.' })
  @problemResponses(BrandNotFound, BrandHasMoved, MediaIsNotReady, ThreadPositionIsTaken)
  async createPost(
    @Body() body: CreatePostDto,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<WrittenPostDto> {
    const brandId = namedBrand(body.brandId, header);
    const post = await this.commands.execute(new CreatePost({ ...newPostIn(body), brandId, caller }));
    return this.written(post, caller);
  }

  @Get(':postId')
  @RequiresScopes('posts.read')
  @ReturnsEtag(otherResourcesIn)
  @ApiOperation({
    operationId: 'getPost',
    summary: 'Get a post',
    description: 'The current state of the post and its allowed actions.',
  })
  @ApiOkResponse({ type: PostDto, description: 'The post.' })
  @problemResponses(PostNotFound)
  async getPost(
    @Param('postId', ParseIdPipe) postId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<PostDto> {
    return PostDto.of(await this.queries.execute(new GetPost({ postId, caller })));
  }

  @Put(':postId')
  @RequiresScopes('posts.write')
  @ReturnsEtag(otherResourcesIn)
  @ApiOperation({
    operationId: 'updatePost',
    summary: 'Change a post',
    description:
      'Fields that are not sent stay unchanged, parts of the target, too. `status: "draft"` unschedules the post; `scheduledAt` schedules it, which also needs calendar.write. Refused while an attempt is open, while the delivery is unconfirmed, and after publication. If a service principal edits approved content, approval is pending again; its time for content without approval is a proposal, which needs posts.write only.',
  })
  @ApiOkResponse({ type: WrittenPostDto, description: 'The post after the change.' })
  @problemResponses(
    PostNotFound,
    PublishingInProgress,
    DeliveryIsUnconfirmed,
    PostIsPublished,
    VersionIsStale,
  )
  async updatePost(
    @Param('postId', ParseIdPipe) postId: string,
    @Body() body: UpdatePostDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<WrittenPostDto> {
    const update = { ...updateIn(body), postId, caller, ifVersion };
    return this.written(await this.commands.execute(new UpdatePost(update)), caller);
  }

  @Delete(':postId')
  @HttpCode(204)
  @RequiresScopes('posts.write')
  @ApiOperation({
    operationId: 'deletePost',
    summary: 'Delete a post',
    description:
      'Deletes the post here. A published post stays on the network, its history stays in the audit. Refused while an attempt is open or the delivery is unconfirmed.',
  })
  @ApiNoContentResponse({ description: 'Deleted.' })
  @problemResponses(PostNotFound, PublishingInProgress, DeliveryIsUnconfirmed, VersionIsStale)
  async deletePost(
    @Param('postId', ParseIdPipe) postId: string,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<void> {
    await this.commands.execute(new DeletePost({ postId, caller, ifVersion }));
  }

  private async written(post: WrittenPost, caller: Caller): Promise<WrittenPostDto> {
    const { item, warnings } = await this.queries.execute(new PresentWrittenPost({ post, caller }));
    return WrittenPostDto.ofWritten(item, warnings);
  }

  /** @throws BrandNotFound, also for the brand of another organization; ScopeIsMissing */
  private async mustSee(brandId: string, caller: Caller): Promise<void> {
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    caller.must('posts.read', { organizationId, brandId }, () => new BrandNotFound());
  }
}
