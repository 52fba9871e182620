import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./commands.js')).runUsageRebuild());
