import { runOnSupportedNode } from '#libs/runtime';
import { workerService } from './api/service.js';

await runOnSupportedNode(async () => (await import('#libs/http')).runService(workerService));
