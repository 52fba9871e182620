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

/** No character that renders as nothing or as space: addresses that differ in these look the same (UTS 39, section 3). */
export const VISIBLE_ONLY = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
