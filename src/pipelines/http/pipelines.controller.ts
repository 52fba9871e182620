import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BelongsToService,
  type Caller,
  CurrentCaller,
  OrganizationNotFound,
  RequiresScopes,
} from '#libs/auth';
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
import { ChangePipeline, CreatePipeline } from '../commands/change-pipelines.js';
import { archive, rename } from '../domain/pipeline.js';
import { ListPipelinesQuery } from '../dto/board.dto.js';
import { PipelineDto } from '../dto/pipeline.dto.js';
import { CreatePipelineDto, RenameDto } from '../dto/write-pipeline.dto.js';
import { GetPipeline, ListPipelines } from '../queries/read-pipelines.js';
import { PipelineNotFound, PipelineIsTheDefault, StageNameIsTaken } from '../domain/pipeline.errors.js';

@ApiTags('Pipelines')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@problemResponses(500)
@Controller('api/pipeline')
export class PipelinesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get()
  @RequiresScopes('pipelines.read')
  @ApiOperation({
    summary: 'List pipelines',
    description:
      'Of the organizations identity says the caller belongs to, with their stages, oldest first. Every organization has one from the beginning: Lead, Qualified, Proposal, Won, Lost.',
  })
  @ReturnsPage(PipelineDto, 'One page of pipelines.')
  listPipelines(
    @Query() query: ListPipelinesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<PipelineDto>> {
    const { organizationId, includeTotal } = query;
    const keyOf = ({ createdAt, id }: PipelineDto): CursorKey => [createdAt, id];
    const list = { list: 'pipelines:createdAt', filters: { organizationId }, keyOf };
    const load = async (after: CursorKey | null, limit: number) => {
      const asked = { caller, organizationId, after, limit };
      const { pipelines: rows, total } = await this.queries.execute(new ListPipelines(asked));
      return { rows, total: includeTotal ? total : undefined };
    };
    return this.pages.page(list, query, load, (pipeline) => pipeline);
  }

  @Post()
  @RequiresScopes('pipelines.write')
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Create a pipeline',
    description: 'With the given stages, or those of a default pipeline.',
  })
  @ApiCreatedResponse({ type: PipelineDto, description: 'The new pipeline.' })
  @problemResponses(OrganizationNotFound, StageNameIsTaken)
  async createPipeline(
    @Body() body: CreatePipelineDto,
    @CurrentCaller() caller: Caller,
  ): Promise<PipelineDto> {
    return this.commands.execute(new CreatePipeline({ ...body, caller }));
  }

  @Get(':pipelineId')
  @RequiresScopes('pipelines.read')
  @ReturnsEtag()
  @ApiOperation({ summary: 'Get a pipeline', description: 'The name and the stages in order.' })
  @ApiOkResponse({ type: PipelineDto, description: 'The pipeline.' })
  @problemResponses(PipelineNotFound)
  async getPipeline(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<PipelineDto> {
    return this.queries.execute(new GetPipeline({ pipelineId, caller }));
  }

  @Put(':pipelineId')
  @RequiresScopes('pipelines.write')
  @ReturnsEtag()
  @ApiOperation({ summary: 'Rename a pipeline', description: 'Stages have separate routes.' })
  @ApiOkResponse({ type: PipelineDto, description: 'The current pipeline.' })
  @problemResponses(PipelineNotFound, VersionIsStale)
  async renamePipeline(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @Body() { name }: RenameDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<PipelineDto> {
    const change = { pipelineId, caller, ifVersion };
    return this.commands.execute(new ChangePipeline({ change, decision: rename(name) }));
  }

  @Delete(':pipelineId')
  @RequiresScopes('pipelines.write')
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Archive a pipeline',
    description:
      'Lists and boards no longer show it; the histories of its contacts keep it. The default pipeline cannot be archived.',
  })
  @ApiOkResponse({ type: PipelineDto, description: 'The pipeline before it was archived.' })
  @problemResponses(PipelineNotFound, PipelineIsTheDefault, VersionIsStale)
  async archivePipeline(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<PipelineDto> {
    const change = { pipelineId, caller, ifVersion };
    return this.commands.execute(new ChangePipeline({ change, decision: archive }));
  }
}
