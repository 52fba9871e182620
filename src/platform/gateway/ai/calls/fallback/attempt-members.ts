import { dollarsOf } from '../../models/domain/prices.js';
import type { AttemptRecord } from './attempt-record.js';

/** The attempts in responses and in problems: costs as decimal text of dollars. */
export const attemptMembers = (attempts: readonly AttemptRecord[]) => ({
  attempts: attempts.map((attempt) => ({
    ...attempt,
    cost: attempt.cost === null ? null : dollarsOf(attempt.cost),
  })),
});
