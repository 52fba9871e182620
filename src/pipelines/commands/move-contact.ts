import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext } from '#libs/auth';
import { RequestCommand } from '#libs/messages';
import type { CardDto } from '../dto/board.dto.js';
import { type CardMove, Cards } from '../cards.stream.js';
import { StageNotFound } from '../domain/pipeline.errors.js';
import { PipelinesAccess } from '../access/pipelines.access.js';

export interface ContactMove extends Omit<CardMove, 'pipelineId' | 'context'> {
  readonly caller: Caller;
  /** Optional check: the stage must belong to this pipeline. */
  readonly pipelineId?: string;
}

export class MoveContact extends RequestCommand<ContactMove, CardDto> {}

@CommandHandler(MoveContact)
export class MoveContactHandler implements ICommandHandler<MoveContact> {
  constructor(
    private readonly access: PipelinesAccess,
    private readonly cards: Cards,
  ) {}

  async execute({ request: { caller, pipelineId: asked, ...move } }: MoveContact): Promise<CardDto> {
    const { contactId, stageId } = move;
    const organizationId = await this.access.organizationOfContact(contactId, caller, 'pipelines.write');
    const pipelineId = await this.access.pipelineOfStage(stageId, organizationId);
    if (asked !== undefined && asked !== pipelineId) throw new StageNotFound();
    const context = eventContext(caller, { organizationId, brandId: null });
    return this.cards.move({ ...move, pipelineId, context });
  }
}
