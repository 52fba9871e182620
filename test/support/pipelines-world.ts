import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '#libs/database';
import { EventStore, Projections } from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { cardAggregate, moveTo } from '../../src/pipelines/domain/card.js';
import { cardIdOf } from '../../src/pipelines/access/pipelines.ids.js';
import type { BusinessApi } from './business-api.js';
import type { ApiResponse, Call } from './call.js';

/** A row as the contacts feature writes it. @returns its id */
export async function aContact(
  database: Database,
  organizationId: string,
  fields: { name?: string; email?: string; company?: string } = {},
): Promise<string> {
  const id = randomUUIDv7();
  const { name = `Contact ${id}`, email = null, company = null } = fields;
  await database.query(
    'INSERT INTO contacts.contact (id, organization_id, name, email, company) VALUES ($1, $2, $3, $4, $5)',
    [id, organizationId, name, email, company],
  );
  return id;
}

interface Stage {
  readonly id: string;
  readonly name: string;
}

/** One organization, a person who may do everything in it, and the default pipeline. */
export class PipelinesWorld {
  private constructor(
    readonly api: BusinessApi,
    readonly person: { readonly id: string; readonly token: string; readonly organizationId: string },
    readonly pipelineId: string,
    readonly stages: readonly Stage[],
  ) {}

  static async of(api: BusinessApi): Promise<PipelinesWorld> {
    const person = api.person();
    const { body } = await api.as(person.token)('GET', '/api/pipeline');
    const [{ id, stages }] = body.data;
    return new PipelinesWorld(api, person, id, stages);
  }

  get call(): Call {
    return this.api.as(this.person.token);
  }

  get database(): Database {
    return this.api.test.database;
  }

  /** Of the default pipeline. */
  stage(name: string): string {
    const stage = this.stages.find((one) => one.name === name);
    if (!stage) throw new Error(`There is no stage ${name}.`);
    return stage.id;
  }

  /** Another member of the same organization. */
  colleague(scopes?: readonly string[]): Call {
    return this.api.as(this.api.person(this.person.organizationId, scopes).token);
  }

  contact(fields: Parameters<typeof aContact>[2] = {}): Promise<string> {
    return aContact(this.database, this.person.organizationId, fields);
  }

  move(
    contactId: string,
    body: unknown,
    headers: Record<string, string> = {},
    call = this.call,
  ): Promise<ApiResponse> {
    return call('PUT', `/api/pipeline/${contactId}/move`, body, headers);
  }

  /** A contact that is in that stage of the default pipeline. */
  async contactIn(stage: string, fields: Parameters<typeof aContact>[2] = {}): Promise<string> {
    const id = await this.contact(fields);
    const { status, text } = await this.move(id, { stageId: this.stage(stage) });
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return id;
  }

  /** Adds contacts to a stage, as moves do. @returns their ids, in the order of the stage */
  async crowd(pipelineId: string, stageId: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => randomUUIDv7());
    const { organizationId } = this.person;
    await this.database.query(
      `INSERT INTO contacts.contact (id, organization_id, name) SELECT id, $2, id FROM unnest($1::uuid[]) AS id`,
      [ids, organizationId],
    );
    const cards = this.api.service.app.get(EventStore, { strict: false });
    const requests = ids.map((contactId, index) => {
      const stream = cardIdOf(pipelineId, contactId);
      const move = { cardId: stream, pipelineId, contactId, to: stageId, end: index, noteId: null };
      const events = moveTo(move, new Date().toISOString())(null);
      const metadata = anEventMetadata({ organizationId });
      return { stream, streamType: cardAggregate.streamType, expected: 'none', events, metadata } as const;
    });
    await this.database.transaction(async (transaction) => {
      await cards.appendMany(transaction, requests);
    });
    await this.api.service.app.get(Projections, { strict: false }).rebuild('cards');
    return ids;
  }

  async board(query = '', pipelineId = this.pipelineId): Promise<ApiResponse['body']> {
    return (await this.call('GET', `/api/pipeline/${pipelineId}/board${query}`)).body;
  }

  /** By the names of the stages: how many, and who. */
  async people(query = ''): Promise<Record<string, [total: number, names: (string | null)[]]>> {
    const { stages } = await this.board(query);
    return Object.fromEntries(
      stages.map((stage: { name: string; total: number; cards: { name: string | null }[] }) => [
        stage.name,
        [stage.total, stage.cards.map(({ name }) => name)],
      ]),
    );
  }

  async history(contactId: string, query = ''): Promise<ApiResponse['body']> {
    return (await this.call('GET', `/api/pipeline/${contactId}/history${query}`)).body;
  }

  async delete(contactId: string): Promise<void> {
    await this.database.query('UPDATE contacts.contact SET deleted_at = now() WHERE id = $1', [contactId]);
  }

  async restore(contactId: string): Promise<void> {
    await this.database.query('UPDATE contacts.contact SET deleted_at = NULL WHERE id = $1', [contactId]);
  }
}
