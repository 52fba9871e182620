/** A block has the index of a fragment as a whole, and those of several small fragments. */
export const INDEX_BLOCK_BYTES = 64 * 1024;
