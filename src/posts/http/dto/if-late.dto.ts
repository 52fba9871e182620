import { IF_LATE } from '../../domain/late-window.js';

/** How the field is described in requests and responses. */
export const IF_LATE_PROPERTY = {
  description:
    'What becomes of the post when it cannot be sent in its late window (six hours by default). null, the default: it fails, but time in which its network or account takes no posts does not count for up to three days, and the time until an operator has repaired something never does. `fail`: every delay counts, and a hold that ends too late fails it at once. `publish`: it is sent within a week.',
  enum: IF_LATE,
  nullable: true,
  example: null,
};
