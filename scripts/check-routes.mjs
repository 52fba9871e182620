import { unhandledMessages } from './routes/handlers.mjs';
import { routesIn } from './routes/routes.mjs';
import { RULES } from './routes/rules.mjs';
import { readSources } from './routes/sources.mjs';

/**
 * npm run check:routes: every route says who may call it, checks the ids of its path and query, and documents an error; every
 * command and query has a handler that a module provides. Reads the sources without types, in seconds: what a decorator calls
 * counts, what a method does is not seen. Run in the folder of the repository. Prints one line per problem.
 */

/** Why all routes of a file are exempt from a rule. */
const EXCEPTIONS = {
  'access src/platform/identity/registry/registry.controller.ts':
    'Every caller may read which services, permissions and scopes exist.',
  'errors libs/health/src/health.controller.ts': 'A probe responds with its report also when a check fails.',
};

const sources = readSources();
const routes = routesIn(sources);
const unused = new Set(Object.keys(EXCEPTIONS));
const problems = [...routes.flatMap(problemsOf), ...unhandledMessages(sources)];
for (const exception of unused) problems.push(`The exception "${exception}" is not needed. Remove it.`);

for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${routes.length} routes keep the rules.`);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOf(route) {
  return Object.entries(RULES).flatMap(([rule, check]) => {
    const found = [...check(route, sources)];
    const exception = `${rule} ${route.file}`;
    if (found.length === 0 || !(exception in EXCEPTIONS))
      return found.map((problem) => `${route.file}: ${route.method.name.getText()} ${problem}`);
    unused.delete(exception);
    return [];
  });
}
