import { domainError } from '#libs/errors';

/** The pipeline does not exist, is archived, or the caller may not know of it: all give the same response. */
export class PipelineNotFound extends domainError(
  'not-found',
  'pipeline_not_found',
  'The pipeline does not exist, or you have no access to it. Check its id.',
) {}

/** The stage does not exist, is archived, or belongs to another pipeline or organization. */
export class StageNotFound extends domainError(
  'not-found',
  'stage_not_found',
  'The stage does not exist, or you have no access to it. Check its id.',
) {}

/** Compared without regard to case and surrounding space. Names of archived stages are free again. */
export class StageNameIsTaken extends domainError(
  'conflict',
  'stage_name_taken',
  (name: string) => `The pipeline has a stage named “${name}” already.`,
) {}

export class PipelineIsFull extends domainError('conflict', 'pipeline_is_full', (maximum: number) => ({
  detail: `A pipeline has at most ${maximum} stages.`,
  members: { maximum },
})) {}

/** Counts cards of deleted contacts: a restored contact must not be in an archived stage. @param cards counted up to 1 001 */
export class StageHoldsCards extends domainError('conflict', 'stage_holds_cards', (cards: number) => ({
  detail: `The stage holds ${cards} ${cards === 1 ? 'card' : 'cards'}, those of deleted contacts included. Say with moveTo which stage takes them.`,
  members: { cards },
})) {}

export class StageIsTheLast extends domainError(
  'conflict',
  'last_stage',
  'A pipeline has at least one stage. Add another one first, or archive the pipeline.',
) {}

export class StageMovesToItself extends domainError('invalid', 'stage_moves_to_itself', {
  detail: 'The cards of an archived stage need another stage.',
  errors: [{ parameter: 'moveTo', code: 'not_allowed', detail: 'must be another stage' }],
}) {}

/** A stage was added or archived after the read, or the list belongs to another pipeline. */
export class StagesAreOthers extends domainError(
  'conflict',
  'stages_are_others',
  'The list does not name every stage of the pipeline once. Read the pipeline again.',
) {}

export class PipelineIsTheDefault extends domainError(
  'conflict',
  'default_pipeline',
  'Every organization keeps its default pipeline. Its name and its stages can be changed.',
) {}
