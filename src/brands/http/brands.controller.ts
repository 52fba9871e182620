import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BrandNotFound, type Caller, CurrentCaller, OrganizationNotFound, RequiresScopes } from '#libs/auth';
import {
  BEARER_AUTH,
  Idempotent,
  IfMatch,
  ListQuery,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsEtag,
  ReturnsPage,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { CreateBrand, TransferBrand, UpdateBrand } from '../commands/change-brands.js';
import { BrandDto, CreateBrandDto, TransferBrandDto, UpdateBrandDto } from './brand.dto.js';
import { GetBrand, ListBrands } from '../queries/read-brands.js';

@ApiTags('Brands')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/brands')
export class BrandsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get()
  @RequiresScopes('accounts.read')
  @ApiOperation({
    summary: 'List brands',
    description: 'The brands of the organizations of the caller, oldest first.',
  })
  @ReturnsPage(BrandDto, 'One page of brands.')
  listBrands(@Query() query: ListQuery, @CurrentCaller() caller: Caller): Promise<Page<BrandDto>> {
    const load = (after: string | null, limit: number) =>
      this.queries.execute(new ListBrands({ caller, after, limit }));
    return this.pages.byId({ list: 'brands:id' }, query, load, (brand) => brand);
  }

  @Post()
  @RequiresScopes('accounts.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Create a brand',
    description:
      'The brand belongs to the given organization, by default to the only organization of the caller.',
  })
  @ApiCreatedResponse({ type: BrandDto, description: 'The new brand.' })
  @problemResponses(OrganizationNotFound)
  async createBrand(@Body() body: CreateBrandDto, @CurrentCaller() caller: Caller): Promise<BrandDto> {
    const { name, timezone = 'UTC', organizationId } = body;
    const brand = { caller, name, timezone, organizationId };
    return this.readable(await this.commands.execute(new CreateBrand(brand)));
  }

  @Get(':brandId')
  @RequiresScopes('accounts.read')
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Get a brand',
    description: 'Its name, its time zone and the organization that owns it.',
  })
  @ApiOkResponse({ type: BrandDto, description: 'The brand.' })
  @problemResponses(BrandNotFound)
  async getBrand(
    @Param('brandId', ParseIdPipe) brandId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<BrandDto> {
    const brand = await this.readable(brandId);
    const owner = { organizationId: brand.organizationId, brandId };
    caller.must('accounts.read', owner, () => new BrandNotFound());
    return brand;
  }

  @Put(':brandId')
  @RequiresScopes('accounts.write')
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Change a brand',
    description:
      'Changes name and time zone; fields that are not sent stay unchanged. With If-Match, the change is refused after a concurrent change.',
  })
  @ApiOkResponse({ type: BrandDto, description: 'The brand as it is now.' })
  @problemResponses(BrandNotFound, VersionIsStale)
  async updateBrand(
    @Param('brandId', ParseIdPipe) brandId: string,
    @Body() body: UpdateBrandDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<BrandDto> {
    await this.commands.execute(new UpdateBrand({ brandId, changes: body, caller, ifVersion }));
    return this.readable(brandId);
  }

  @Post(':brandId/transfer-organization')
  @HttpCode(200)
  @RequiresScopes('accounts.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Move a brand to another organization',
    description:
      'Only for an owner of the present organization. Id, posts, connections and history of the brand stay, and the audit of both organizations has an entry of the transfer. The former organization and its keys lose access.',
  })
  @ApiOkResponse({ type: BrandDto, description: 'The brand as it is now.' })
  @problemResponses(BrandNotFound, OrganizationNotFound, VersionIsStale)
  async transferBrand(
    @Param('brandId', ParseIdPipe) brandId: string,
    @Body() body: TransferBrandDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<BrandDto> {
    const to = body.organizationId.toLowerCase();
    await this.commands.execute(new TransferBrand({ brandId, organizationId: to, caller, ifVersion }));
    return this.readable(brandId);
  }

  private async readable(brandId: string): Promise<BrandDto> {
    const { now: _, ...brand } = await this.queries.execute(new GetBrand({ brandId }));
    return brand;
  }
}
