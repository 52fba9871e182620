/** Example values of the OpenAPI document. */
export const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';
export const AT = '2026-11-01T09:00:00.000Z';
export const PERMISSION = `${ID}.posts:write`;
