import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import { Database, statement } from '#libs/database';
import { EventStore } from '#libs/event-store';
import { type AttemptOnNetwork, FindConnectionsOfSameAccount } from '../../integrations/index.js';
import { attemptsInDoubt } from '../domain/attempts-in-doubt.js';
import type { PostEvent } from '../domain/post.events.js';
import { FIRST, LATER } from './candidate.statements.js';

/**
 * $1 connections, $2 their brands, $3 a post: other posts with an open attempt, and those that ever had one that ended
 * unconfirmed, deleted ones too. One statement, so that an attempt that ends meanwhile is seen as open or as unconfirmed.
 */
const RIVALS = statement(
  'posts_rivals',
  `SELECT p.post_id AS id FROM posts.publication p
   WHERE p.attempt_id IS NOT NULL AND p.attempt_connection_id = ANY ($1::uuid[]) AND p.post_id <> $3::uuid
   UNION
   SELECT e.stream FROM events.event e
   WHERE e.type = 'PostPublishFailed' AND e.data->'failure'->>'class' = 'unconfirmed'
     AND e.data->>'brandId' = ANY ($2::text[]) AND e.stream <> $3::uuid`,
);

/** With two bounds PostgreSQL expects few rows, so that it reads them by the index of `which`. */
const waiting = (which: string) => `SELECT p.* FROM posts.publication p
  WHERE ${which} AND p.due_at BETWEEN '-infinity' AND (SELECT lost_until FROM posts.recovery)`;

/**
 * $1 brands, $2 a post: other posts that may have been sent before the database lost its last changes. Mostly it has lost none:
 * PostgreSQL evaluates EXISTS once and then reads no post, in any join order.
 */
export const LOST = statement(
  'posts_lost_rivals',
  `SELECT v.details->>'text' AS text, v.details->>'link' AS link,
     greatest(p.scheduled_at, (SELECT lost_from FROM posts.recovery)) AS since
   FROM (${waiting(FIRST)} UNION ALL ${waiting(LATER)}) p JOIN posts.post_view v ON v.id = p.post_id
   WHERE EXISTS (SELECT FROM posts.recovery WHERE lost_from IS NOT NULL)
     AND p.brand_id = ANY ($1::uuid[]) AND p.post_id <> $2::uuid`,
);

interface LostRow {
  readonly text: string;
  readonly link: string | null;
  readonly since: Date;
}

/**
 * Attempts of other posts on the same account of a network, of any brand and organization, whose outcome is unknown: a post
 * that the network shows may be theirs.
 */
@Injectable()
export class RivalAttempts {
  constructor(
    private readonly queries: QueryBus,
    private readonly database: Database,
    private readonly events: EventStore,
  ) {}

  /** When the first attempt of a post began that ended unconfirmed; null when there was none. */
  async firstDoubt(postId: string): Promise<Instant | null> {
    const { events: history } = await this.events.read<PostEvent>(postId);
    const unconfirmed = new Set(
      history.flatMap(({ type, data }) =>
        type === 'PostPublishFailed' && data.failure.class === 'unconfirmed' ? [data.attemptId] : [],
      ),
    );
    const first = history.find(
      ({ type, data }) => type === 'PublishAttemptStarted' && unconfirmed.has(data.attemptId),
    );
    return first?.at ?? null;
  }

  async of(postId: string, connectionId: string): Promise<AttemptOnNetwork[]> {
    const connections = await this.queries.execute(new FindConnectionsOfSameAccount({ connectionId }));
    const ids = new Set(connections.map((each) => each.connectionId));
    const brandIds = [...new Set(connections.map(({ brandId }) => brandId))];
    const lost = await this.database.query<LostRow>(LOST, [brandIds, postId]);
    const posts = await this.database.query<{ id: string }>(RIVALS, [[...ids], brandIds, postId]);
    const lostRivals = lost.map(({ since, ...content }) => ({ content, since: since.toISOString() }));
    return [
      ...lostRivals,
      ...(await this.inDoubt(
        posts.map(({ id }) => id),
        ids,
      )),
    ];
  }

  private async inDoubt(
    postIds: readonly string[],
    connectionIds: ReadonlySet<string>,
  ): Promise<AttemptOnNetwork[]> {
    if (postIds.length === 0) return [];
    const streams = await this.events.readMany<PostEvent>(postIds);
    return [...streams.values()]
      .flatMap(({ events }) => attemptsInDoubt(events))
      .filter(({ connectionId }) => connectionId === null || connectionIds.has(connectionId));
  }
}
