/**
 * The spelling addresses are compared by: NFKC first, so that full-width letters and signs cannot pass for others, then
 * trimmed and in lower case. Whether it is an address is asked of the result, never of what was typed.
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}
