import type { BlocksRead } from '../blocks-read.js';
import type { Member } from './member.js';
import { BOUNDED, QUESTIONS } from './operations.js';

/** More rows have an index with one more level, which each lookup of an operation reads; a small table may be read whole or not. */
export const ALLOWANCE = 40;
export const GOAL = 1.5;

/**
 * The blocks that PostgreSQL reads for each operation of this member.
 * @param isFirst false: the connections of the service have planned these statements before, which spares runs
 */
export async function readByOperations(
  blocks: BlocksRead,
  member: Member,
  isFirst: boolean,
): Promise<ReadonlyMap<string, number>> {
  const read = new Map<string, number>();
  for (const [question, work] of QUESTIONS) {
    const ask = () => work(member);
    read.set(question, await (isFirst ? blocks.of(ask) : blocks.ofLaterRuns(ask)));
  }
  return read;
}

/** Blocks that an operation may read, with many rows or after those of others were added. @param few blocks with few rows alone */
export const allowed = (question: string, few: number): number =>
  BOUNDED[question]?.most ?? GOAL * few + ALLOWANCE;
