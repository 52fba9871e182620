import { randomUUIDv7 } from 'node:crypto';
import { Body, Controller, Delete, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { BelongsToService, type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import { BEARER_AUTH, Idempotent, IfMatch, ParseIdPipe, problemResponses, ReturnsEtag } from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { ChangePipeline } from '../commands/change-pipelines.js';
import { addStage, renameStage, reorderStages } from '../domain/pipeline.js';
import { ArchiveStage } from '../commands/archive-stage.js';
import { PipelineDto, WrittenStageDto } from '../dto/pipeline.dto.js';
import { AddStageDto, RenameDto, ReorderStagesDto } from '../dto/write-pipeline.dto.js';
import {
  StageNotFound,
  StageHoldsCards,
  StageIsTheLast,
  StageMovesToItself,
  StageNameIsTaken,
  StagesAreOthers,
  PipelineIsFull,
  PipelineNotFound,
} from '../domain/pipeline.errors.js';

@ApiTags('Pipelines')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@RequiresScopes('pipelines.write')
@problemResponses(PipelineNotFound, VersionIsStale, 500)
@Controller('api/pipeline/:pipelineId/stages')
export class StagesController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Idempotent()
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Add a stage',
    description: 'At the given position, or at the end. Names are unique within a pipeline.',
  })
  @ApiCreatedResponse({ type: WrittenStageDto, description: 'The new stage.' })
  @problemResponses(PipelineIsFull, StageNameIsTaken)
  async addStage(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @Body() { name, position }: AddStageDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<WrittenStageDto> {
    const change = { pipelineId, caller, ifVersion };
    const id = randomUUIDv7();
    const decision = addStage({ id, name }, position);
    return WrittenStageDto.in(await this.commands.execute(new ChangePipeline({ change, decision })), id);
  }

  @Put()
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Reorder the stages',
    description:
      'The list must name every stage once; it is refused after a concurrent addition or archiving of a stage.',
  })
  @ApiOkResponse({ type: PipelineDto, description: 'The current pipeline.' })
  @problemResponses(StagesAreOthers)
  async reorderStages(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @Body() { stageIds }: ReorderStagesDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<PipelineDto> {
    const change = { pipelineId, caller, ifVersion };
    return this.commands.execute(new ChangePipeline({ change, decision: reorderStages(stageIds) }));
  }

  @Put(':stageId')
  @ReturnsEtag()
  @ApiOperation({ summary: 'Rename a stage', description: 'Histories show the new name.' })
  @ApiOkResponse({ type: WrittenStageDto, description: 'The current stage.' })
  @problemResponses(StageNotFound, StageNameIsTaken)
  async renameStage(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @Param('stageId', ParseIdPipe) stageId: string,
    @Body() { name }: RenameDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<WrittenStageDto> {
    const change = { pipelineId, caller, ifVersion };
    const decision = renameStage(stageId, name);
    return WrittenStageDto.in(await this.commands.execute(new ChangePipeline({ change, decision })), stageId);
  }

  @Delete(':stageId')
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Archive a stage',
    description:
      'Refused while it holds cards, those of deleted contacts included, unless `moveTo` names the stage that takes them: they go to its end in their order, each with an entry in its history. Many cards are moved in several steps; when one of them is refused, what was moved before stays moved.',
  })
  @ApiQuery({
    name: 'moveTo',
    required: false,
    description: 'Another stage of the pipeline.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ type: PipelineDto, description: 'The current pipeline.' })
  @problemResponses(StageNotFound, StageHoldsCards, StageIsTheLast, StageMovesToItself)
  async archiveStage(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @Param('stageId', ParseIdPipe) stageId: string,
    @CurrentCaller() caller: Caller,
    @Query('moveTo') moveTo?: unknown,
    @IfMatch() ifVersion?: number,
  ): Promise<PipelineDto> {
    const target = moveTo === undefined || moveTo === '' ? undefined : idIn(moveTo);
    const stage = { pipelineId, stageId, moveTo: target, caller, ifVersion };
    return this.commands.execute(new ArchiveStage(stage));
  }
}

/** An invalid id matches no stage. */
const idIn = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
