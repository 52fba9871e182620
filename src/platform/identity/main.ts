import { runOnSupportedNode } from '#libs/runtime';
import { identityService } from './service.js';

await runOnSupportedNode(async () => (await import('#libs/http')).runService(identityService));
