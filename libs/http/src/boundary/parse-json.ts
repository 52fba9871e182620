import { isUtf8 } from 'node:buffer';
import { HttpProblem } from '../problems/problem.js';
import { notJson, notUtf8 } from './not-json.js';

/** JSON as it was sent: nothing in it is refused or changed, unlike in other bodies. @throws HttpProblem 400 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new HttpProblem(notUtf8);
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch (error) {
    throw new HttpProblem(notJson, { cause: error });
  }
}
