import type { Route } from '../../../wire/router.js';
import type { LinkedIn } from '../state/linkedin.js';
import { createPost } from './create-post.js';
import { organizationAcls, organizationsLookup, userInfo } from './members.js';
import { deletePost, findPosts } from './read-posts.js';
import { signedIn, versioned } from './signed-in.js';

export function apiRoutes(linkedin: LinkedIn): Route[] {
  return [
    {
      method: 'GET',
      path: '/v2/userinfo',
      handle: (call) => signedIn(linkedin, call, (_, caller) => userInfo(linkedin, caller)),
    },
    versioned(linkedin, 'GET', '/rest/organizationAcls', (call, caller) =>
      organizationAcls(linkedin, call, caller),
    ),
    versioned(linkedin, 'GET', '/rest/organizationsLookup', (call) => organizationsLookup(linkedin, call)),
    versioned(linkedin, 'POST', '/rest/posts', (call, caller) => createPost(linkedin, call, caller)),
    versioned(linkedin, 'GET', '/rest/posts', (call, caller) => findPosts(linkedin, call, caller)),
    versioned(linkedin, 'DELETE', '/rest/posts/:urn', (call, caller) => deletePost(linkedin, call, caller)),
  ];
}
