import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./start.js')).runSandbox());
