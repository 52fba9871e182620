import { json } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Route } from '../../../wire/router.js';
import type { X } from '../state/x.js';
import { createPost } from './create-post.js';
import { fieldsAskedFor, isRefusal } from './fields.js';
import { deletePost, getPost } from './single-post.js';
import { type Caller, signedIn, type SignedInRoute } from './signed-in.js';
import { userPosts } from './user-posts.js';
import { USER_FIELDS, userView } from './user-view.js';

const READ = ['tweet.read', 'users.read'];
const WRITE = [...READ, 'tweet.write'];

/** The API as api.x.com and, under its old name, api.twitter.com answer it. */
export function apiRoutes(x: X): Route[] {
  const routes: SignedInRoute[] = [
    { method: 'GET', path: '/2/users/me', scopes: READ, handle: (call, caller) => me(x, call, caller) },
    { method: 'GET', path: '/2/users/:id/tweets', scopes: READ, handle: (call) => userPosts(x, call) },
    {
      method: 'POST',
      path: '/2/tweets',
      scopes: WRITE,
      handle: (call, caller) => createPost(x, call, caller),
    },
    { method: 'GET', path: '/2/tweets/:id', scopes: READ, handle: (call) => getPost(x, call) },
    {
      method: 'DELETE',
      path: '/2/tweets/:id',
      scopes: WRITE,
      handle: (call, caller) => deletePost(x, call, caller),
    },
  ];
  return routes.map((route) => signedIn(x, route));
}

function me(x: X, call: Call, { account }: Caller): ReturnType<typeof json> {
  const fields = fieldsAskedFor(call.query, 'user.fields', USER_FIELDS);
  return isRefusal(fields) ? fields : json(200, { data: userView(x, account, fields) });
}
