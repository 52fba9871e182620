/** Defined where it is counted; named here for the wires. */
export type { Usage } from '../usage/quantities.js';
export { NO_USAGE } from '../usage/quantities.js';
