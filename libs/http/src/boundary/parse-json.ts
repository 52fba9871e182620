import { isUtf8 } from 'node:buffer';
import { exactJson, hasLongNumber } from '#libs/outbound-http';
import { HttpProblem } from '../problems/problem.js';
import { cleanJson, InexactInteger } from './clean-json.js';
import { notJson, notUtf8 } from './not-json.js';
import { ValueCounter } from './value-counter.js';

/** JSON as it was sent: nothing in it is refused or changed, unlike in other bodies. @throws HttpProblem 400 */
export function parseJson(bytes: Buffer): unknown {
  const text = textOf(bytes);
  return valid(() => JSON.parse(text) as unknown);
}

/** The body of a request. @throws HttpProblem 400, RequestIsNotValid */
export function parseBody(bytes: Buffer): unknown {
  const text = textOf(bytes);
  if (hasLongNumber(text)) new ValueCounter().add(bytes);
  return cleanJson(valid(() => exactJson(text, InexactInteger.orNumber)));
}

/** Skips the byte order mark. */
const decoder = new TextDecoder();

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new HttpProblem(notUtf8);
  return decoder.decode(bytes);
}

function valid(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw new HttpProblem(notJson, { cause: error });
  }
}
