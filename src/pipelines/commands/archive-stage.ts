import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Database, statement, type Transaction } from '#libs/database';
import { MAX_TOTAL } from '#libs/http';
import { type EventMetadata, StreamHasMoved, VersionIsStale } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import type { PipelineDto } from '../dto/pipeline.dto.js';
import { Cards } from '../cards.stream.js';
import { moveTo } from '../domain/card.js';
import { StageHoldsCards } from '../domain/pipeline.errors.js';
import { archiveStage } from '../domain/pipeline.js';
import { detailsOf } from '../views/pipeline.view.js';
import { lockPipeline } from './pipelines.locks.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';

export interface StageToArchive extends PipelineChange {
  readonly stageId: string;
  /** The stage that receives the cards, at its end, in their order. */
  readonly moveTo?: string;
}

export class ArchiveStage extends RequestCommand<StageToArchive, PipelineDto> {}

/** A batch, because a long transaction blocks every reader of the log. */
const AT_ONCE = 500;

const COUNT = statement(
  'count_cards_of_stage',
  `SELECT count(*)::int AS cards FROM (
     SELECT FROM pipelines.card_view WHERE stage_id = $1
     ORDER BY position, entered_at, id LIMIT ${MAX_TOTAL + 1}) AS counted`,
);

const FIRST = statement(
  'first_cards_of_stage',
  `SELECT id FROM pipelines.card_view WHERE stage_id = $1 ORDER BY position, entered_at, id LIMIT $2`,
);

@CommandHandler(ArchiveStage)
export class ArchiveStageHandler implements ICommandHandler<ArchiveStage> {
  constructor(
    private readonly database: Database,
    private readonly pipelines: Pipelines,
    private readonly cards: Cards,
  ) {}

  /** Moves cards in short transactions, each like any other move. The last one archives the stage. */
  async execute({ request: stage }: ArchiveStage): Promise<PipelineDto> {
    const context = await this.pipelines.contextFor(stage.pipelineId, stage.caller);
    for (;;) {
      const archived = await this.database.transaction(async (transaction) => {
        await lockPipeline(transaction, stage.pipelineId);
        return this.goOn(transaction, stage, context);
      });
      if (archived) return archived;
    }
  }

  /** @returns the pipeline when the stage is archived, undefined while it holds cards. */
  private async goOn(
    transaction: Transaction,
    { pipelineId, stageId, moveTo: target, ifVersion }: StageToArchive,
    context: EventMetadata,
  ): Promise<PipelineDto | undefined> {
    const decide = archiveStage(stageId, target);
    const { state, version } = await this.pipelines.load(pipelineId);
    if (ifVersion !== undefined && ifVersion !== version) throw new VersionIsStale(version);
    decide(state);
    const [row] = await transaction.query<{ cards: number }>(COUNT, [stageId]);
    const count = row?.cards ?? 0;
    if (count > 0 && target === undefined) throw new StageHoldsCards(count);
    if (count > 0 && target !== undefined) await this.moveSome(transaction, stageId, target, context);
    if (count > AT_ONCE) return undefined;
    return detailsOf(await this.pipelines.change(pipelineId, () => decide, context));
  }

  private async moveSome(
    transaction: Transaction,
    stageId: string,
    to: string,
    context: EventMetadata,
  ): Promise<void> {
    const ids = await transaction.query<{ id: string }>(FIRST, [stageId, AT_ONCE]);
    const cards = await this.cards.loadMany(ids.map(({ id }) => id));
    const end = await this.cards.endOf(to, transaction);
    const changes = [...cards].flatMap(([id, from], index) => {
      if (from.state === null) return [];
      const { pipelineId, contactId } = from.state;
      const move = { cardId: id, pipelineId, contactId, to, end: end + index, noteId: null };
      return [{ id, from, events: moveTo(move, from.now)(from.state), context }];
    });
    const answers = await this.cards.changeMany(transaction, changes);
    const moved = answers.find((answer) => answer instanceof StreamHasMoved);
    if (moved) throw moved;
  }
}
