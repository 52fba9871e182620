/**
 * What makes two spellings the same account: NFKC first, so that a full-width @ or letter cannot pass for another address,
 * then lower case. Applied before the address is validated, never after.
 */
export function emailKey(email: string): string {
  return normalisedEmail(email).toLowerCase();
}

export function normalisedEmail(email: string): string {
  return email.normalize('NFKC').trim();
}
