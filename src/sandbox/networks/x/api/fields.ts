import { invalidRequest } from '../problems.js';
import type { SandboxResponse } from '../../../wire/response.js';

/** The requested fields of `parameter`, or X's error for an unknown field. */
export function fieldsAskedFor(
  query: URLSearchParams,
  parameter: string,
  known: readonly string[],
): readonly string[] | SandboxResponse {
  const fields = (query.get(parameter) ?? '').split(',').filter((field) => field !== '');
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown === undefined) return fields;
  return invalidRequest(
    `The \`${parameter}\` query parameter value [${unknown}] is not one of [${known.join(',')}]`,
    { [parameter]: [query.get(parameter) ?? ''] },
  );
}

export const isRefusal = (value: readonly string[] | SandboxResponse): value is SandboxResponse =>
  'status' in value;
