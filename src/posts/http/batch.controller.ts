import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { BrandId, BrandNotFound, type Caller, CurrentCaller, namedBrand, RequiresScopes } from '#libs/auth';
import { BEARER_AUTH, CountsAs, Idempotent, problemResponses } from '#libs/http';
import { CreatePosts } from '../commands/create-posts.js';
import { CheckContent, CheckContents } from '../queries/check-contents.js';
import { PresentWrittenPost } from '../queries/get-post.js';
import type { WrittenPost } from '../views/post-item.js';
import { BatchPostDto, CreatedPostsDto, CreatePostsDto, MAX_BATCH } from './dto/batch.dto.js';
import { contentsIn, newPostsIn, preflightBrandOf, singleContentIn } from './dto/requests.js';
import { PreflightDto, PreflightResultDto } from './dto/preflight.dto.js';
import { BrandHasMoved } from '../domain/reference.errors.js';

const BRAND_HEADER = { name: 'X-Brand-ID', required: false, description: 'The brand it is about.' };

/** Entries of a body that is not validated yet. */
const entriesOf = (body: unknown): number => {
  const { posts } = (body ?? {}) as { posts?: unknown };
  return Array.isArray(posts) ? Math.min(posts.length, MAX_BATCH) : 1;
};

/** One content for several accounts. */
@ApiTags('Posts')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/posts')
export class BatchController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('batch')
  @RequiresScopes('posts.write')
  @Idempotent()
  @CountsAs(entriesOf)
  @ApiOperation({
    operationId: 'createPosts',
    summary: 'Create a post for each of several accounts',
    description: `One text, link, time, media and options for up to ${MAX_BATCH} accounts; each entry of \`posts\` can have its own. All posts are created or none: one refused entry refuses all (\`batch_refused\`), with pointers such as \`#/posts/2/text\`. Everything else is as for one post; each entry counts as one request.`,
  })
  @ApiHeader(BRAND_HEADER)
  @ApiCreatedResponse({ type: CreatedPostsDto, description: 'The new posts.' })
  @problemResponses(BrandNotFound, BrandHasMoved)
  async createPosts(
    @Body() body: CreatePostsDto,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<CreatedPostsDto> {
    const brandId = namedBrand(body.brandId, header);
    const created = await this.commands.execute(new CreatePosts({ ...newPostsIn(body), brandId, caller }));
    const posts: BatchPostDto[] = [];
    for (const post of created) posts.push(await this.presented(post, caller));
    return { posts };
  }

  @Post('preflight')
  @HttpCode(200)
  @RequiresScopes('posts.write')
  @Idempotent()
  @CountsAs(entriesOf)
  @ApiOperation({
    operationId: 'preflightPost',
    summary: 'Ask whether networks would take a post',
    description:
      'Checks a content against the rules of one network (`platform`) or of several accounts (`posts`), and against everything else that the creation of the posts checks, without saving it. Content with files, or that names a connection, needs their brand. Rules that depend on the account use what is known of the named connection. With `posts`, the response has for each entry the length of its text, what each file becomes, and warnings.',
  })
  @ApiHeader(BRAND_HEADER)
  @ApiOkResponse({ type: PreflightResultDto, description: 'The findings of the rules.' })
  @problemResponses(BrandNotFound)
  async preflightPost(
    @Body() body: PreflightDto,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<PreflightResultDto> {
    const { platform, posts } = body;
    if (posts !== undefined || platform === undefined) {
      const contents = contentsIn(body, posts ?? []);
      const brandId = preflightBrandOf(body, header);
      return PreflightResultDto.ofAll(
        await this.queries.execute(new CheckContents({ contents, brandId, caller })),
      );
    }
    const single = singleContentIn(body);
    const brandId = preflightBrandOf(body, header);
    return PreflightResultDto.of(
      await this.queries.execute(new CheckContent({ platform, ...single, brandId, caller })),
    );
  }

  private async presented(post: WrittenPost, caller: Caller): Promise<BatchPostDto> {
    const { item, warnings } = await this.queries.execute(new PresentWrittenPost({ post, caller }));
    return BatchPostDto.ofBatch(item, warnings, post.findings ?? []);
  }
}
