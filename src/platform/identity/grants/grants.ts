import { Injectable } from '@nestjs/common';
import type { Executor } from '#libs/database';
import { RequestIsNotValid } from '#libs/http';
import { ScopesAreNotOffered } from '../identity.errors.js';
import type { Administrator } from '../members/members.js';

export interface GrantRequest {
  /** Slug. */
  readonly service: string;
  readonly scopes: readonly string[];
}

export interface Grant {
  readonly serviceId: string;
  readonly scopes: readonly string[];
}

/** What an administrator may hand on to a key or a service principal. */
@Injectable()
export class Grants {
  /** @throws RequestIsNotValid for an unknown service, ScopesAreNotOffered */
  async resolve(
    executor: Executor,
    organizationId: string,
    request: GrantRequest,
    by: Administrator,
  ): Promise<Grant> {
    const [row] = await executor.query<{ id: string; offered: string[] }>(
      `SELECT s.id, ARRAY(
          SELECT c.scope FROM identity.api_key_scope c
           WHERE c.service_id = s.id AND c.scope = ANY ($2)
             AND c.scope = ANY (identity.scopes_of($3, $4, $5, s.id)) ORDER BY c.scope) AS offered
         FROM identity.service s WHERE s.slug = $1`,
      [request.service, request.scopes, organizationId, by.actor.id, by.role],
    );
    if (!row) {
      const detail = 'is not the slug of a service';
      throw new RequestIsNotValid([{ pointer: '#/service', code: 'unknown_service', detail }]);
    }
    const refused = request.scopes.filter((scope) => !row.offered.includes(scope));
    if (refused.length > 0) throw new ScopesAreNotOffered(refused);
    return { serviceId: row.id, scopes: row.offered };
  }
}
