import { runOnSupportedNode } from '#libs/runtime';
import { apiService } from './api/service.js';

await runOnSupportedNode(async () => (await import('#libs/http')).runService(apiService));
