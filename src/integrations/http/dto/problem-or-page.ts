import { problemResponse } from '#libs/http';

/** The OpenAPI response of a route that a browser opens: a page for a person, or a problem. */
export function problemOrPage(status: number) {
  const problem = problemResponse(status);
  return { ...problem, content: { ...problem.content, 'text/html': { schema: { type: 'string' } } } };
}
