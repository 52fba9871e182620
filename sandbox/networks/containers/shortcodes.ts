/** A post in the address of its page. */
export const shortcodeOf = (id: string): string => `C${BigInt(id).toString(36)}`;

/** An empty text for no shortcode. */
export function postIdOf(shortcode: string): string {
  const [, digits = ''] = /^C([0-9a-z]{1,20})$/.exec(shortcode) ?? [];
  if (digits === '') return '';
  return [...digits]
    .reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
    .toString();
}
