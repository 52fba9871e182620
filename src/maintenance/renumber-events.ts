import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./renumber.js')).runRenumbering());
