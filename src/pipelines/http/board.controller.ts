import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BelongsToService, type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import {
  BEARER_AUTH,
  type CursorKey,
  IfMatch,
  type Page,
  Pages,
  ParseIdPipe,
  problemResponses,
  ReturnsEtag,
  ReturnsPage,
  WarnsOfParameters,
} from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { MoveContact } from '../commands/move-contact.js';
import { BoardDto, BoardQuery, CardDto, ListMovementsQuery, MoveContactDto } from '../dto/board.dto.js';
import { MovementDto } from '../dto/movement.dto.js';
import { type BoardCard, GetBoard } from '../queries/get-board.js';
import { ListMovements } from '../queries/list-movements.js';
import { ContactNotFound } from '../../contacts/index.js';
import { StageNotFound, PipelineNotFound } from '../domain/pipeline.errors.js';

@ApiTags('Pipelines')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@problemResponses(500)
@Controller('api/pipeline')
export class BoardController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly pages: Pages,
  ) {}

  @Get(':pipelineId/board')
  @RequiresScopes('pipelines.read')
  @ApiOperation({
    summary: 'The board of a pipeline',
    description:
      'Every stage with its first cards and their total. For further pages of one stage send `stageId` with its `nextCursor`. Deleted contacts are hidden until they are restored.',
  })
  @WarnsOfParameters()
  @ApiOkResponse({ type: BoardDto, description: 'The board.' })
  @problemResponses(PipelineNotFound)
  async getBoard(
    @Param('pipelineId', ParseIdPipe) pipelineId: string,
    @Query() { limitPerStage: limit, stageId, cursor }: BoardQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<BoardDto> {
    const keyOf = ({ key }: BoardCard) => key;
    const listOf = (stage: string) => ({ list: 'board:position', filters: { stage }, keyOf });
    const after = stageId ? this.pages.after(listOf(stageId), { limit, cursor }) : null;
    const asked = { pipelineId, caller, stageId, after, limit: limit + 1 };
    const { pipeline, stages } = await this.queries.execute(new GetBoard(asked));
    return {
      pipelineId,
      name: pipeline.name,
      stages: stages.map(({ cards, ...stage }) => {
        const { data, pagination } = this.pages.shown(listOf(stage.id), { limit }, cards);
        const shown = data.map(({ key: _, ...card }) => card);
        return { ...stage, cards: shown, nextCursor: pagination.nextCursor };
      }),
    };
  }

  @Put(':contactId/move')
  @RequiresScopes('pipelines.write')
  @ReturnsEtag()
  @ApiOperation({
    summary: 'Move a contact to a stage',
    description:
      'Adds the contact to a pipeline, or moves it between two stages of it; a contact is in at most one stage of a pipeline. A move to its current stage only changes its position. Concurrent moves are made one after the other; with If-Match the second is refused.',
  })
  @ApiOkResponse({ type: CardDto, description: 'The current card of the contact.' })
  @problemResponses(ContactNotFound, StageNotFound, VersionIsStale)
  async moveContact(
    @Param('contactId', ParseIdPipe) contactId: string,
    @Body() { stageId, pipelineId, position, note }: MoveContactDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() ifVersion?: number,
  ): Promise<CardDto> {
    const move = {
      contactId,
      stageId,
      pipelineId,
      position: position ?? undefined,
      note: note || undefined,
      caller,
      ifVersion,
    };
    return this.commands.execute(new MoveContact(move));
  }

  @Get(':contactId/history')
  @RequiresScopes('pipelines.read')
  @ApiOperation({
    summary: 'List the movements of a contact',
    description: 'Movements through the stages of all pipelines, including archived ones, newest first.',
  })
  @ReturnsPage(MovementDto, 'One page of movements.')
  @problemResponses(ContactNotFound)
  listMovements(
    @Param('contactId', ParseIdPipe) contactId: string,
    @Query() query: ListMovementsQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<MovementDto>> {
    const { pipelineId, includeTotal } = query;
    const keyOf = ({ key }: { key: CursorKey }) => key;
    const list = { list: 'movements:-at', filters: { contactId, pipelineId }, keyOf };
    const load = async (after: CursorKey | null, limit: number) => {
      const asked = { contactId, caller, pipelineId, after, limit };
      const { movements: rows, total } = await this.queries.execute(new ListMovements(asked));
      return { rows, total: includeTotal ? total : undefined };
    };
    return this.pages.page(list, query, load, ({ movement }) => movement);
  }
}
