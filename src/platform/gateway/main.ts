import { runOnSupportedNode } from '#libs/runtime';
import { gatewayService } from './service.js';

await runOnSupportedNode(async () => (await import('#libs/http')).runService(gatewayService));
