/** Text of a person between U+2068 and U+2069: a right-to-left name does not reorder the text around it. */
export const isolated = (name: string): string =>
  `\u2068${name.replaceAll(/[\u2066-\u2069\u202a-\u202e]/g, '')}\u2069`;
