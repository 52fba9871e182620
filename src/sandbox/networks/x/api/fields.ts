import { invalidRequest } from '../problems.js';
import type { Answer } from '../../../wire/answer.js';

/** The fields asked for in `parameter`, or X's refusal of one it does not know. */
export function fieldsAskedFor(
  query: URLSearchParams,
  parameter: string,
  known: readonly string[],
): readonly string[] | Answer {
  const fields = (query.get(parameter) ?? '').split(',').filter((field) => field !== '');
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return fields;
  return invalidRequest(
    `The \`${parameter}\` query parameter value [${unknown}] is not one of [${known.join(',')}]`,
    { [parameter]: [query.get(parameter) ?? ''] },
  );
}

export const isRefusal = (value: readonly string[] | Answer): value is Answer => 'status' in value;
