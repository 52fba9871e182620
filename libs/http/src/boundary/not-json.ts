/** Bodies that cannot be parsed, as problems. The parser's messages quote the body, so they are not repeated. */
export const notJson = {
  status: 400,
  code: 'malformed_json',
  title: 'Body is not JSON',
  detail: 'The body is not valid JSON.',
};

export const notUtf8 = { ...notJson, detail: 'The body is not UTF-8.' };
