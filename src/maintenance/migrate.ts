import { runOnSupportedNode } from '#libs/runtime';

await runOnSupportedNode(async () => (await import('./apply-migrations.js')).runMigrations());
