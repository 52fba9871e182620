import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Grants } from '../kit/state/grants.js';
import { graphProblem, tokenProblem } from './graph-problems.js';

/** The response to a call whose token is not accepted: it states why the token ended. */
export function refusedToken(grants: Grants, { bearerToken, form, query }: Call): SandboxResponse {
  const token = bearerToken ?? form.get('access_token') ?? query.get('access_token');
  return graphProblem(tokenProblem((token === null ? null : grants.endOf(token)) ?? 'unknown'));
}
