import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import mayImport from '../.dependency-cruiser.features.cjs';

/**
 * npm run check:sql: SQL of a feature or service reads the tables of another one through views that the other one publishes,
 * only in the direction of imports, and writes none of them. Names that are put together at run time are not seen. Migrations
 * are exempt: a foreign key cannot refer to a view. Run in the folder of the repository. Prints one line per problem.
 */
const OWNER = /^src\/(?:platform\/)?([^/]+)\//;
const CREATED = /\bCREATE\s+(?:UNLOGGED\s+)?(TABLE|VIEW)\s+(?:IF NOT EXISTS\s+)?([a-z_]+\.[a-z_]+)/g;
const NAMED = /(\b(?:INTO|UPDATE|DELETE\s+FROM)\s+)?\b([a-z_]+\.[a-z_]+)\b/g;

const files = globSync('src/*/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
const isMigration = (file) => file.includes('/migrations/');
const ownerOf = (file) => OWNER.exec(file)?.[1];

/** Each relation with its owner, and whether it is a published view. */
const relations = new Map(
  files
    .filter(isMigration)
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(CREATED)].map(([, kind, name]) => [
        name,
        { owner: ownerOf(file), isView: kind === 'VIEW' },
      ]),
    ),
);

const problems = files.filter((file) => !isMigration(file)).flatMap(problemsOf);
for (const problem of problems) console.error(problem);
if (problems.length === 0)
  console.log(`No SQL names a table of another feature; ${relations.size} are known.`);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOf(file) {
  const user = ownerOf(file);
  return textsIn(file).flatMap((text) =>
    [...text.matchAll(NAMED)].flatMap(([, isWrite, name]) => {
      const relation = relations.get(name);
      if (!relation || relation.owner === user) return [];
      const problem = problemOf(user, relation, isWrite !== undefined);
      return problem ? [`${file}: ${name} ${problem}`] : [];
    }),
  );
}

function problemOf(user, { owner, isView }, isWrite) {
  if (isWrite) return `belongs to ${owner}. Only ${owner} writes it.`;
  if (!isView) return `is a table of ${owner}. Read a view that ${owner} publishes.`;
  if (mayImport[user]?.includes(owner)) return undefined;
  return `belongs to ${owner}, which ${user} may not import.`;
}

/** The parts of all strings and templates in a file. */
function textsIn(file) {
  const texts = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return texts;
}
