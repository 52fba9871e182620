import { errorDocument } from '../wire/error-document.js';
import { XML_DECLARATION } from '../wire/xml.js';
import type { Operation } from './operation.js';

const EVERY_MS = 1_000;

/**
 * * Sends blanks while a document is created, so that clients do not time out. The status is 200 from then on: a later failure
 * is an error document with status 200, as at AWS.
 */
export async function answerSlowly(
  { request, response }: Operation,
  make: () => Promise<string>,
): Promise<void> {
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    response.writeHead(200, { 'Content-Type': 'application/xml' }).write(XML_DECLARATION);
  };
  const blanks = setInterval(() => (isBegun ? response.write(' ') : begin()), EVERY_MS);
  try {
    const document = await make();
    if (!isBegun) begin();
    response.end(document);
  } catch (error) {
    if (!isBegun) throw error;
    response.end(errorDocument(error, request.path, ''));
    throw error;
  } finally {
    clearInterval(blanks);
  }
}
