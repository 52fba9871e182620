import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./operate.js')).runLocalOperator());
