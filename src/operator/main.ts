import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./run-command.js')).runOperator());
