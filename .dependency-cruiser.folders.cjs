/**
 * Folders that import each other are one folder in two parts. Specs are left out: they import helpers of test/, which import every
 * feature. Files at the root of a feature count as part of the feature, so networks.ts may import providers/.
 * Seen failing in test/architecture.spec.ts.
 */
const { options } = require('./.dependency-cruiser.cjs');

/** Folders that still have cycles. Remove an entry with its last cycle. */
const WITH_CYCLES = ['src/platform/identity', 'libs/http/src'];

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      comment: 'Move what both folders need into a third one, or merge them.',
      severity: 'error',
      scope: 'folder',
      from: { pathNot: `^(${WITH_CYCLES.join('|')})(/|$)` },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: ['^(dist|\\.data|test)/', '[.-]spec\\.ts$'] } },
};
