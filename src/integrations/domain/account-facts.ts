/** What rules of a network depend on and differs between its accounts, by a name that the provider chose. Never a secret. */
export type AccountFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export const NO_FACTS: AccountFacts = {};
