import type { Finding } from '#libs/content';

/** The network would refuse the post. */
export const error = (ruleId: string, message: string, pointer: string): Finding => ({
  ruleId,
  severity: 'error',
  message,
  pointer,
});

/** The network publishes the post, but not as its author may expect. */
export const warning = (ruleId: string, message: string, pointer: string): Finding => ({
  ruleId,
  severity: 'warning',
  message,
  pointer,
});
