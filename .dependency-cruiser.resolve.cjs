const { join } = require('node:path');

/** `#libs/<name>` stands for the build in package.json; the cruiser is to see the sources. */
module.exports = {
  resolve: {
    alias: {
      '#libs/*/testing': join(__dirname, 'libs/*/src/testing/index.ts'),
      '#libs/*': join(__dirname, 'libs/*/src/index.ts'),
    },
  },
};
