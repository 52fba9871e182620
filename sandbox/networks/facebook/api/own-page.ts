import type { SandboxResponse } from '../../../wire/response.js';
import { graphProblem, nodeProblem } from '../../graph/graph-problems.js';
import type { FacebookAccount } from '../state/facebook-accounts.js';
import type { Facebook } from '../state/facebook.js';
import type { Caller } from './signed-in.js';

/** The page that the token publishes as, or Facebook's refusal. */
export function ownPage(
  facebook: Facebook,
  pageId: string,
  { account, grant }: Caller,
): FacebookAccount | SandboxResponse {
  const page = facebook.accounts.find(account.id);
  if (page?.kind !== 'page' || page.id !== pageId) return graphProblem(nodeProblem(pageId));
  const person = grant.details?.person ?? '';
  if ((page.tasks[person] ?? []).length === 0)
    return graphProblem({
      code: 190,
      subcode: 492,
      message: 'The user must be an administrator of the page in order to impersonate it.',
    });
  if (!grant.scopes.includes('pages_manage_posts') || !(page.tasks[person] ?? []).includes('CREATE_CONTENT'))
    return graphProblem({ code: 200, status: 403, message: '(#200) Permissions error' });
  if (page.suspended)
    return graphProblem({
      code: 368,
      message: 'The action attempted has been deemed abusive or is otherwise disallowed',
    });
  return page;
}

export const isRefused = (found: object): found is SandboxResponse => 'status' in found && 'headers' in found;
