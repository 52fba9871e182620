declare const brand: unique symbol;

/** The name of a network in addresses, events and rows. The registry of networks (src/integrations/networks.ts) lists all. */
export type Platform = string & { readonly [brand]: 'Platform' };
