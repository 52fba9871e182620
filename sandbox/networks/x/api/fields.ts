import { invalidRequest } from '../state/problems.js';
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

/** What an expansion of the current API file adds to each post. */
const EXPANDED: Readonly<Record<string, string>> = { 'referenced_posts.id': 'referenced_posts' };

/**
 * The fields of posts by their current names (`post.fields` and `expansions`) or by the former ones (`tweet.fields`); in the current API
 * file, referenced posts are an expansion.
 */
export function postFieldsAskedFor(
  query: URLSearchParams,
  known: readonly string[],
): readonly string[] | SandboxResponse {
  if (!query.has('post.fields')) return fieldsAskedFor(query, 'tweet.fields', known);
  const current = known.filter((field) => field !== 'referenced_tweets');
  const fields = fieldsAskedFor(query, 'post.fields', current);
  if (isRefusal(fields)) return fields;
  const expansions = (query.get('expansions') ?? '').split(',');
  return [...fields, ...expansions.flatMap((name) => EXPANDED[name] ?? [])];
}

export const isRefusal = (value: readonly string[] | SandboxResponse): value is SandboxResponse =>
  'status' in value;
