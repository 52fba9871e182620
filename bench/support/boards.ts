import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '#libs/database';
import { cardAggregate, moveTo } from '../../src/pipelines/domain/card.js';
import { cardProjection } from '../../src/pipelines/views/card.view.js';
import { create, pipelineAggregate } from '../../src/pipelines/domain/pipeline.js';
import { pipelineProjection } from '../../src/pipelines/views/pipeline.view.js';
import { cardIdOf } from '../../src/pipelines/access/pipelines.ids.js';
import { METADATA } from './raw-insert.js';
import { createMany } from './create-many.js';

const STAGES = ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost'];
/** One of so many contacts is deleted. */
const DELETED = 50;

export interface LargeBoard {
  readonly pipelineId: string;
  readonly stageIds: readonly string[];
  /** On the board, so without the deleted. */
  readonly cards: number;
}

/** A pipeline with that many cards, spread over its stages, as moves leave them. */
export async function createBoard(
  database: Database,
  organizationId: string,
  cards: number,
): Promise<LargeBoard> {
  const metadata = { ...METADATA, organizationId, brandId: null };
  const pipelineId = randomUUIDv7();
  const stages = STAGES.map((name) => ({ id: randomUUIDv7(), name }));
  const events = create({ id: pipelineId, organizationId, name: 'Crowded', isDefault: false, stages });
  const pipelines = { aggregate: pipelineAggregate, view: pipelineProjection };
  await createMany(database, pipelines, [{ id: pipelineId, events, metadata }]);
  const contactIds = await createContacts(database, organizationId, cards);
  const now = new Date().toISOString();
  const creations = contactIds.map((contactId, index) => {
    const to = stages[index % stages.length]?.id as string;
    const cardId = cardIdOf(pipelineId, contactId);
    const move = { cardId, pipelineId, contactId, to, end: index, noteId: null };
    return { id: cardId, events: moveTo(move, now)(null), metadata };
  });
  await createMany(database, { aggregate: cardAggregate, view: cardProjection }, creations);
  const deleted = contactIds.filter((_, index) => index % DELETED === 0);
  await database.query('UPDATE contacts.contact SET deleted_at = now() WHERE id = ANY($1::uuid[])', [
    deleted,
  ]);
  return { pipelineId, stageIds: stages.map(({ id }) => id), cards: cards - deleted.length };
}

async function createContacts(database: Database, organizationId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUIDv7());
  await database.query(
    `INSERT INTO contacts.contact (id, organization_id, name, email, email_key, company, tags)
     SELECT id, $2, 'Contact ' || n, 'contact.' || n || '@example.com', 'contact.' || n || '@example.com',
       'Company ' || n % 5000, '{customer}'
     FROM unnest($1::uuid[]) WITH ORDINALITY AS new (id, n)`,
    [ids, organizationId],
  );
  return ids;
}
