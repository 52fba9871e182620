import { DomainError } from '#libs/errors';

/** The pipeline does not exist, is archived, or the caller may not know of it: all give the same response. */
export class PipelineNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'pipeline_not_found';

  constructor() {
    super('The pipeline does not exist, or you have no access to it. Check its id.');
  }
}

/** The stage does not exist, is archived, or belongs to another pipeline or organization. */
export class StageNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'stage_not_found';

  constructor() {
    super('The stage does not exist, or you have no access to it. Check its id.');
  }
}

/** Compared without regard to case and surrounding space. Names of archived stages are free again. */
export class StageNameIsTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'stage_name_taken';

  constructor(name: string) {
    super(`The pipeline has a stage named “${name}” already.`);
  }
}

export class PipelineIsFull extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'pipeline_is_full';

  constructor(readonly maximum: number) {
    super(`A pipeline has at most ${maximum} stages.`, { members: { maximum } });
  }
}

/** Counts cards of deleted contacts: a restored contact must not be in an archived stage. */
export class StageHoldsCards extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'stage_holds_cards';

  /** @param cards counted up to 1 001 */
  constructor(cards: number) {
    super(
      `The stage holds ${cards} ${cards === 1 ? 'card' : 'cards'}, those of deleted contacts included. Say with moveTo which stage takes them.`,
      { members: { cards } },
    );
  }
}

export class StageIsTheLast extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'last_stage';

  constructor() {
    super('A pipeline has at least one stage. Add another one first, or archive the pipeline.');
  }
}

export class StageMovesToItself extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'stage_moves_to_itself';

  constructor() {
    super('The cards of an archived stage need another stage.', {
      errors: [{ parameter: 'moveTo', code: 'not_allowed', detail: 'must be another stage' }],
    });
  }
}

/** A stage was added or archived after the read, or the list belongs to another pipeline. */
export class StagesAreOthers extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'stages_are_others';

  constructor() {
    super('The list does not name every stage of the pipeline once. Read the pipeline again.');
  }
}

export class PipelineIsTheDefault extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'default_pipeline';

  constructor() {
    super('Every organization keeps its default pipeline. Its name and its stages can be changed.');
  }
}
