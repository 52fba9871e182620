/** Where an object with members can begin. Runs of white space are read once, so that any text takes linear time. */
const BEGIN = /\{\s*"/g;
const STRUCTURE = /[{}"]|\\./gs;

/** An object ends before this many further beginnings, nested ones included: what a text costs is at most so many times its length. */
const MAX_INNER = 16;

export interface ObjectsInText {
  /** Parsed. */
  readonly wanted: readonly unknown[];
  /** Text that begins like an object and is none that is wanted, each up to the next beginning. */
  readonly others: readonly string[];
}

/**
 * The JSON objects that `isWanted` accepts, at any place of a text: in a list, in other objects, between words. After one that is
 * no JSON the search continues at the next beginning of an object, so that a stray quotation mark spoils only its own object.
 * Linear in the length of the text.
 */
export function objectsIn(text: string, isWanted: (value: unknown) => boolean): ObjectsInText {
  const begins = Array.from(text.matchAll(BEGIN), ({ index }) => index);
  const wanted: unknown[] = [];
  const others: string[] = [];
  let end = 0;
  for (const [index, begin] of begins.entries()) {
    if (begin < end) continue;
    const object = objectAt(text.slice(begin, begins[index + MAX_INNER + 1]));
    if (object && isWanted(object.value)) {
      wanted.push(object.value);
      end = begin + object.length;
    } else others.push(text.slice(begin, begins[index + 1]));
  }
  return { wanted, others };
}

/** The object at the start of a text. undefined: it has no end there, or is no JSON. */
function objectAt(text: string): { readonly value: unknown; readonly length: number } | undefined {
  let depth = 0;
  let isInString = false;
  for (const { 0: token, index } of text.matchAll(STRUCTURE)) {
    if (token === '"') isInString = !isInString;
    else if (isInString || token.startsWith('\\')) continue;
    else depth += token === '{' ? 1 : -1;
    if (depth > 0 || isInString) continue;
    const length = index + 1;
    return parsed(text.slice(0, length), length);
  }
  return undefined;
}

function parsed(text: string, length: number): ReturnType<typeof objectAt> {
  try {
    return { value: JSON.parse(text) as unknown, length };
  } catch {
    return undefined;
  }
}
