import type { Dollars } from '../domain/prices.js';

/** A number of dollars as decimal text; more than nine decimals are rounded. */
export const dollarsIn = (value: number): Dollars => value.toFixed(9).replace(/\.?0+$/, '');
