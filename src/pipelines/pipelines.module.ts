import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BoardController } from './http/board.controller.js';
import { ChangePipelineHandler, CreatePipelineHandler } from './commands/change-pipelines.js';
import { ArchiveStageHandler } from './commands/archive-stage.js';
import { MoveContactHandler } from './commands/move-contact.js';
import { PipelinesAccess } from './access/pipelines.access.js';
import { PipelinesController } from './http/pipelines.controller.js';
import { DefaultPipelines } from './access/pipelines.defaults.js';
import { PipelinesWorkerModule } from './pipelines-worker.module.js';
import { GetBoardHandler } from './queries/get-board.js';
import { GetPipelineHandler, ListPipelinesHandler } from './queries/read-pipelines.js';
import { ListMovementsHandler } from './queries/list-movements.js';
import { StagesController } from './http/stages.controller.js';

@Module({
  imports: [CqrsModule, PipelinesWorkerModule],
  controllers: [PipelinesController, StagesController, BoardController],
  providers: [
    PipelinesAccess,
    DefaultPipelines,
    CreatePipelineHandler,
    ChangePipelineHandler,
    ArchiveStageHandler,
    MoveContactHandler,
    ListPipelinesHandler,
    GetPipelineHandler,
    GetBoardHandler,
    ListMovementsHandler,
  ],
})
export class PipelinesModule {}
