export { runOnSupportedNode } from './node-version.js';
