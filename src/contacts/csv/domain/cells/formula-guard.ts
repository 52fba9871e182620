import { formulaGuard } from '#libs/text';
import { isPlaceholder } from './empty-cell.js';

/** Numbers and phone numbers start like a formula but are none; the guard would damage them. */
const HARMLESS = /^([+-]?\d+([.,]\d+)*|\+\d[\d\s()./-]*(; \+?\d[\d\s()./-]*)*)$/;

export const GUARD = formulaGuard({
  isHarmless: (text) => HARMLESS.test(text),
  // An import reads a placeholder as empty, and one with an apostrophe as text.
  isOther: isPlaceholder,
});
export const { guarded, unguarded } = GUARD;
