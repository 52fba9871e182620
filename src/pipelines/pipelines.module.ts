import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BoardController } from './http/board.controller.js';
import { AddStageHandler } from './commands/add-stage.js';
import { ArchivePipelineHandler } from './commands/archive-pipeline.js';
import { ArchiveStageHandler } from './commands/archive-stage.js';
import { CreatePipelineHandler } from './commands/create-pipeline.js';
import { MoveContactHandler } from './commands/move-contact.js';
import { RenamePipelineHandler } from './commands/rename-pipeline.js';
import { RenameStageHandler } from './commands/rename-stage.js';
import { ReorderStagesHandler } from './commands/reorder-stages.js';
import { PipelinesAccess } from './access/pipelines.access.js';
import { PipelinesController } from './http/pipelines.controller.js';
import { DefaultPipelines } from './access/pipelines.defaults.js';
import { PipelinesWorkerModule } from './pipelines-worker.module.js';
import { GetBoardHandler } from './queries/get-board.js';
import { GetPipelineHandler } from './queries/get-pipeline.js';
import { ListMovementsHandler } from './queries/list-movements.js';
import { ListPipelinesHandler } from './queries/list-pipelines.js';
import { StagesController } from './http/stages.controller.js';

@Module({
  imports: [CqrsModule, PipelinesWorkerModule],
  controllers: [PipelinesController, StagesController, BoardController],
  providers: [
    PipelinesAccess,
    DefaultPipelines,
    CreatePipelineHandler,
    RenamePipelineHandler,
    ArchivePipelineHandler,
    AddStageHandler,
    RenameStageHandler,
    ReorderStagesHandler,
    ArchiveStageHandler,
    MoveContactHandler,
    ListPipelinesHandler,
    GetPipelineHandler,
    GetBoardHandler,
    ListMovementsHandler,
  ],
})
export class PipelinesModule {}
