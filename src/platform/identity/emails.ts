/**
 * Key of an account: NFKC, so that full-width characters are not another address, then lower case. Apply it before the
 * validation of the address, never after.
 */
export function emailKey(email: string): string {
  return normalisedEmail(email).toLowerCase();
}

export function normalisedEmail(email: string): string {
  return email.normalize('NFKC').trim();
}
