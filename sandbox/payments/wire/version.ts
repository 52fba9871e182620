/** The only version of the wire that is spoken here. */
export const API_VERSION = '2026-10-28.endive';
