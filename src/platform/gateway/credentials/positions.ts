/** Positions are 1 to this; lower ones are used first, of equal ones the older credential. */
export const MAX_POSITION = 1_000;
