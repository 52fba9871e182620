import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./run.js')).runEmbedded());
