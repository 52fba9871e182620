import { randomBytes } from 'node:crypto';
import type { Call } from '../../wire/call.js';
import { CallIsRefused, json, type SandboxResponse } from '../../wire/response.js';
import type { EndOfToken, Grants } from '../kit/state/grants.js';

export interface GraphProblem {
  readonly message: string;
  readonly code: number;
  readonly subcode?: number;
  /** Default 400. */
  readonly status?: number;
  readonly isTransient?: boolean;
  readonly title?: string;
  readonly userMessage?: string;
}

/** An error response of the Graph API: developers.facebook.com/docs/graph-api/guides/error-handling. */
export function graphProblem(problem: GraphProblem): SandboxResponse {
  const { message, code, subcode, status = 400, isTransient = false, title, userMessage } = problem;
  const error = {
    message,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    is_transient: isTransient,
    ...(title !== undefined && { error_user_title: title }),
    ...(userMessage !== undefined && { error_user_msg: userMessage }),
    fbtrace_id: randomBytes(9).toString('base64url'),
  };
  return json(status, { error });
}

/** Of what the person did; reasons of a revocation that a test may name. */
const SUBCODES: Readonly<Record<string, number>> = {
  expired: 463,
  revoked: 458,
  password: 460,
  checkpoint: 459,
};

export const tokenProblem = (end: EndOfToken): GraphProblem => ({
  message:
    end === 'unknown'
      ? 'Invalid OAuth access token - Cannot parse access token'
      : 'Error validating access token',
  code: 190,
  ...(SUBCODES[end] !== undefined && { subcode: SUBCODES[end] }),
});

export const permissionProblem: GraphProblem = {
  message: '(#10) Application does not have permission for this action',
  code: 10,
  status: 403,
};

export const parameterProblem = (what: string): GraphProblem => ({ message: `(#100) ${what}`, code: 100 });

/** A node that does not exist, or that the token may not see. */
export const nodeProblem = (id: string): GraphProblem => ({
  message: `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
  code: 100,
  subcode: 33,
});

export const serverProblem = (status: number): GraphProblem => ({
  message: 'An unexpected error has occurred. Please retry your request later.',
  code: 2,
  status,
  isTransient: true,
});

/** The response to a call whose token is not accepted: it states why the token ended. */
export function refusedToken(grants: Grants, { bearerToken, form, query }: Call): SandboxResponse {
  const token = bearerToken ?? form.get('access_token') ?? query.get('access_token');
  return graphProblem(tokenProblem((token === null ? null : grants.endOf(token)) ?? 'unknown'));
}

export class GraphCallIsRefused extends CallIsRefused {
  constructor(problem: GraphProblem) {
    super(graphProblem(problem));
  }
}
