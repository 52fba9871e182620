import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { EventStore, type RecordedEvent } from '#libs/event-store';
import { RequestQuery } from '#libs/messages';
import type { MovementDto } from '../dto/movement.dto.js';
import type { CardEvent, Movement } from '../domain/card.js';
import { PipelinesAccess } from '../access/pipelines.access.js';

export interface MovementList {
  readonly contactId: string;
  readonly caller: Caller;
  readonly pipelineId?: string;
  /** `key` of the last movement of the previous page. */
  readonly after: MovementKey | null;
  readonly limit: number;
}

interface FoundMovement {
  readonly movement: MovementDto;
  readonly key: MovementKey;
}

/** Time, card, version of the card. */
export type MovementKey = readonly (string | number | null)[];

export interface MovementsFound {
  readonly movements: FoundMovement[];
  readonly total: number;
}

export class ListMovements extends RequestQuery<MovementList, MovementsFound> {}

interface CardOfContact {
  readonly id: string;
  readonly pipeline: string;
  readonly stages: Readonly<Record<string, string>>;
}

/** Archived pipelines and stages still have a name. */
const CARDS = statement(
  'find_cards_of_contact',
  `SELECT k.id, p.name AS pipeline,
     (SELECT jsonb_object_agg(s.id, s.name) FROM pipelines.stage_view s WHERE s.pipeline_id = p.id) AS stages
   FROM pipelines.card_view k JOIN pipelines.pipeline_view p ON p.id = k.pipeline_id
   WHERE k.contact_id = $1 AND ($2::uuid IS NULL OR k.pipeline_id = $2)`,
);

const NOTES = statement(
  'find_movement_notes',
  'SELECT id, text FROM pipelines.movement_note WHERE id = ANY($1::uuid[])',
);

type RecordedMovement = RecordedEvent<Movement>;

@QueryHandler(ListMovements)
export class ListMovementsHandler implements IQueryHandler<ListMovements> {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly access: PipelinesAccess,
  ) {}

  /** Reads the events of the contact's cards. These streams are short, because every move reads them. */
  async execute({ request: list }: ListMovements): Promise<MovementsFound> {
    const { contactId, caller, pipelineId, after, limit } = list;
    await this.access.organizationOfContact(contactId, caller, 'pipelines.read');
    const cards = await this.database.query<CardOfContact>(CARDS, [contactId, pipelineId ?? null]);
    const streams = await this.store.readMany<CardEvent>(cards.map(({ id }) => id));
    const all = [...streams.values()]
      .flatMap(({ events }) => events.filter(isMovement))
      .toSorted(newestFirst);
    const page = all.filter((event) => after === null || isAfter(event, after)).slice(0, limit);
    const notes = await this.notesOf(page);
    const movements = page.flatMap((event) => {
      const card = cards.find(({ id }) => id === event.stream);
      return card ? [{ movement: detailsOf(event, card, notes), key: keyOf(event) }] : [];
    });
    return { movements, total: all.length };
  }

  private async notesOf(events: readonly RecordedMovement[]): Promise<Map<string, string>> {
    const ids = events.flatMap(({ data: { noteId } }) => noteId ?? []);
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; text: string }>(NOTES, [ids]);
    return new Map(rows.map(({ id, text }) => [id, text]));
  }
}

const isMovement = (event: RecordedEvent<CardEvent>): event is RecordedMovement =>
  event.type !== 'CardRepositioned';

const keyOf = ({ at, stream, version }: RecordedMovement) => [at, stream, version] as const;

function newestFirst(a: RecordedMovement, b: RecordedMovement): number {
  return compare(keyOf(b), keyOf(a));
}

const isAfter = (event: RecordedMovement, key: MovementKey): boolean => compare(keyOf(event), key) < 0;

function compare(a: MovementKey, b: MovementKey): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at === -1) return 0;
  return (a[at] as string | number) < (b[at] as string | number) ? -1 : 1;
}

function detailsOf(
  event: RecordedMovement,
  { pipeline, stages }: CardOfContact,
  notes: ReadonlyMap<string, string>,
): MovementDto {
  const { id, at, metadata, data } = event;
  const named = (stage: string) => ({ id: stage, name: stages[stage] ?? '' });
  return {
    id,
    at,
    actor: metadata.actor,
    pipeline: { id: data.pipelineId, name: pipeline },
    from: 'from' in data ? named(data.from) : null,
    to: named(data.to),
    note: (data.noteId && notes.get(data.noteId)) ?? null,
    secondsInPreviousStage: 'from' in data ? data.secondsInPreviousStage : null,
  };
}
