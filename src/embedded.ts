import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./embedded/run.js')).runEmbedded());
