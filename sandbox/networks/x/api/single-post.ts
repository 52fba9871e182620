import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { couldNotFind, forbidden, invalidRequest } from '../state/problems.js';
import type { X } from '../state/x.js';
import { isRefusal, postFieldsAskedFor } from './fields.js';
import { POST_FIELDS, postView } from './post-view.js';
import type { Caller } from './signed-in.js';

const ID = /^[0-9]{1,19}$/;

/** GET /2/tweets/:id */
export function getPost(x: X, call: Call): SandboxResponse {
  const id = call.params.id ?? '';
  if (!ID.test(id)) return invalidId(id);
  const fields = postFieldsAskedFor(call.query, POST_FIELDS);
  if (isRefusal(fields)) return fields;
  const post = x.posts.find(id);
  return post ? json(200, { data: postView(x, post, fields) }) : couldNotFind('tweet', id);
}

/** DELETE /2/tweets/:id. Deleting what is gone succeeds again. */
export function deletePost(x: X, call: Call, caller: Caller): SandboxResponse {
  const id = call.params.id ?? '';
  if (!ID.test(id)) return invalidId(id);
  const post = x.posts.find(id);
  const deleted = json(200, { data: { deleted: true } });
  if (!post) return deleted;
  if (post.authorId !== caller.account.id) return forbidden('not-yours');
  const { effect, line } = x.effect(call, caller, { kind: 'post.deleted', id });
  x.posts.remove(post, line);
  return { ...deleted, effect };
}

const invalidId = (id: string): SandboxResponse =>
  invalidRequest(`The \`id\` query parameter value [${id}] is not valid`, { id: [id] });
