import { Injectable } from '@nestjs/common';
import type { Claimed } from './attempt.js';
import { PublishCandidatesStore, type UnsettledAttempt } from './candidates.store.js';
import { OpenAttempts, type TaskOf } from './open-attempts.js';

export interface ChecksRequest {
  readonly limit: number;
  /** Ids of attempts that this worker checks already. */
  readonly except: readonly string[];
}

/**
 * Claims attempts whose network has the post and decides later, when it is to be asked. One worker at a time asks for a post. Neither
 * its account nor a slot is occupied meanwhile.
 */
@Injectable()
export class DecisionChecks {
  constructor(
    private readonly candidates: PublishCandidatesStore,
    private readonly attempts: OpenAttempts,
  ) {}

  async take({ limit, except }: ChecksRequest): Promise<Claimed[]> {
    if (limit <= 0) return [];
    const due = await this.candidates.dueChecks(limit, except);
    return this.attempts.claim(new Map(due.map((attempt) => [keyOf(attempt), attempt])), checkOf);
  }
}

const keyOf = ({ attemptId }: UnsettledAttempt): string => `decision:${attemptId}`;

/** undefined: it was checked meanwhile. */
const checkOf: TaskOf = ({ undecided, startedAt, maybeLiveSince }, now) => {
  if (undecided === null || undecided.checkAt > now) return undefined;
  const since = maybeLiveSince ?? startedAt;
  return { kind: 'check', since, at: undecided.checkAt, mayBeOther: maybeLiveSince !== null };
};
