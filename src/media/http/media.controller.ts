import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { BrandId, BrandNotFound, type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import {
  BEARER_AUTH,
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
import { DeleteMedia, type MediaDetails, UpdateMedia } from '../commands/change-media.js';
import { MediaAddresses } from '../host/media-addresses.js';
import { GetMedia } from '../queries/get-media.js';
import { ListMedia } from '../queries/list-media.js';
import { ListMediaQuery } from './dto/list-media.dto.js';
import { MediaDetailDto, MediaDto } from './dto/media.dto.js';
import { UpdateMediaDto } from './dto/write-media.dto.js';
import { MediaNotFound, MediaIsInUse } from '../domain/media.errors.js';

const BRAND_HEADER = { name: 'X-Brand-ID', required: false, description: 'The brand it is about.' };

/**
 * Uses and the download address change while the version does not. The address is signed for 5 minutes: a cached response is
 * confirmed only within the minute of its signature.
 */
const unversioned = ({ uses, downloadUrl }: MediaDetailDto) => [uses, downloadUrl && minuteOf(downloadUrl)];

/** `X-Amz-Date` is `YYYYMMDDTHHMMSSZ`. */
const minuteOf = (signedUrl: string) => new URL(signedUrl).searchParams.get('X-Amz-Date')?.slice(0, 13);

@ApiTags('Media')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/media')
export class MediaController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
    private readonly addresses: MediaAddresses,
  ) {}

  @Get()
  @RequiresScopes('posts.read')
  @ApiOperation({
    operationId: 'listMedia',
    summary: 'List and search files',
    description:
      'Of all brands the caller may see, newest first, also in a search. Up to 1 000 are counted: where there are more, `pagination.totalExceeds` is 1000 and `pagination.total` is left out. With filters or words they are counted only where that is fast.',
  })
  @ApiHeader(BRAND_HEADER)
  @ReturnsPage(MediaDto, 'One page of files.')
  @problemResponses(BrandNotFound)
  async listMedia(
    @Query() query: ListMediaQuery,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<MediaDto>> {
    if (header) await this.mustSee(header, caller);
    const { filters, includeTotal } = query;
    const brandId = query.brandId ?? header;
    const list = { list: 'media', filters: { brandId, ...filters } };
    const load = (after: string | null, limit: number) =>
      this.queries.execute(new ListMedia({ caller, brandId, filters, after, limit, includeTotal }));
    return this.pages.byId(list, query, load, (file) => MediaDto.of(file, this.addresses));
  }

  @Get(':mediaId')
  @RequiresScopes('posts.read')
  @ReturnsEtag(unversioned)
  @ApiOperation({
    operationId: 'getMedia',
    summary: 'Get a file',
    description: 'The facts of the file, the posts that use it, and addresses to show and to download it.',
  })
  @ApiOkResponse({ type: MediaDetailDto, description: 'The file.' })
  @problemResponses(MediaNotFound)
  async getMedia(
    @Param('mediaId', ParseIdPipe) mediaId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MediaDetailDto> {
    const detail = await this.queries.execute(new GetMedia({ mediaId, caller }));
    return MediaDetailDto.ofDetail(detail, this.addresses);
  }

  @Patch(':mediaId')
  @RequiresScopes('posts.write')
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'updateMedia',
    summary: 'Describe a file',
    description:
      'Alt text, tags and focus point; what is not sent stays. Posts go out with the alt text at the time of publication. A service principal may change neither alt text nor focus point of a file that an unpublished post uses (409 `media_in_use`).',
  })
  @ApiOkResponse({ type: MediaDto, description: 'The file after the change.' })
  @problemResponses(MediaNotFound, MediaIsInUse, VersionIsStale)
  async updateMedia(
    @Param('mediaId', ParseIdPipe) mediaId: string,
    @Body() body: UpdateMediaDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<MediaDto> {
    const request = { mediaId, caller, ifVersion, changes: changesIn(body) };
    return MediaDto.of(await this.commands.execute(new UpdateMedia(request)), this.addresses);
  }

  @Delete(':mediaId')
  @HttpCode(204)
  @RequiresScopes('posts.write')
  @ApiOperation({
    operationId: 'deleteMedia',
    summary: 'Delete a file',
    description:
      'Permanently, with its renditions. Refused while an unpublished post uses it (409 `media_in_use`, with `postIds`). What networks have published stays there.',
  })
  @ApiNoContentResponse({ description: 'Deleted.' })
  @problemResponses(MediaNotFound, MediaIsInUse, VersionIsStale)
  async deleteMedia(
    @Param('mediaId', ParseIdPipe) mediaId: string,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<void> {
    await this.commands.execute(new DeleteMedia({ mediaId, caller, ifVersion }));
  }

  /** @throws BrandNotFound, also for the brand of another organization; ScopeIsMissing */
  private async mustSee(brandId: string, caller: Caller): Promise<void> {
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    caller.must('posts.read', { organizationId, brandId }, () => new BrandNotFound());
  }
}

/** What the body sends: undefined members are not sent, and null clears. */
function changesIn({ altText, tags, focusPoint }: UpdateMediaDto): Partial<MediaDetails> {
  return {
    ...(altText === undefined ? {} : { altText }),
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
    ...(focusPoint === undefined ? {} : { focusPoint: { x: focusPoint.x, y: focusPoint.y } }),
  };
}
