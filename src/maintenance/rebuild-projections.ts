import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./rebuild.js')).runRebuild());
