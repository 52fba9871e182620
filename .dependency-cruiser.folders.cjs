/**
 * Folders that import each other are one folder in two parts. Specs are left out: they import helpers of test/, which import every
 * feature. Files at the root of a feature count as part of the feature, so networks.ts may import providers/.
 * A cycle between a folder and its own subfolder is not found. Seen failing in test/architecture.spec.ts.
 */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      comment: 'Move what both folders need into a third one, or merge them.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: ['^(dist|\\.data|test)/', '[.-]spec\\.ts$'] } },
};
