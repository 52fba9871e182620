import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const FILES = ['src/**/*.ts', 'libs/*/src/**/*.ts'];
const OTHERS = /[.-]spec\.ts$|\/testing\//;

/** Everything that the rules of routes ask of the sources, read once. Imports are not followed: of one name, all declarations count. */
export function readSources() {
  const sources = { classes: [], calledBy: new Map(), listed: new Set() };
  for (const file of globSync(FILES).filter((each) => !OTHERS.test(each))) {
    const root = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const statement of root.statements) readDeclaration(statement, file, sources);
    visit(root, (node) => {
      if (!ts.isArrayLiteralExpression(node)) return;
      for (const { text } of node.elements.filter(ts.isIdentifier)) sources.listed.add(text);
    });
  }
  return sources;
}

function readDeclaration(statement, file, { classes, calledBy }) {
  if (ts.isClassDeclaration(statement) && statement.name)
    classes.push({ name: statement.name.text, file, node: statement });
  const functions = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
  for (const each of functions.filter((one) => ts.isFunctionDeclaration(one) || one.initializer))
    if (each.name && ts.isIdentifier(each.name))
      calledBy.set(each.name.text, [...(calledBy.get(each.name.text) ?? []), callsIn(each)]);
}

/** Names of the functions that a node calls. */
export function callsIn(node) {
  const names = new Set();
  visit(node, (each) => {
    if (ts.isCallExpression(each) && ts.isIdentifier(each.expression)) names.add(each.expression.text);
  });
  return names;
}

/** Whether one of the functions is in `targets`, or calls one that is: in each of its declarations. */
export function leadsTo(names, targets, calledBy, above = []) {
  return [...names].some((name) => {
    if (targets.has(name)) return true;
    const declared = above.includes(name) ? [] : (calledBy.get(name) ?? []);
    return (
      declared.length > 0 && declared.every((calls) => leadsTo(calls, targets, calledBy, [...above, name]))
    );
  });
}

/** The decorators of a node that are calls, by name. */
export const decoratorsOf = (node) =>
  (ts.getDecorators(node) ?? [])
    .map(({ expression }) => expression)
    .filter((expression) => ts.isCallExpression(expression) && ts.isIdentifier(expression.expression))
    .map((call) => ({ name: call.expression.text, call, args: call.arguments }));

export const textOf = (node) => (node && ts.isStringLiteralLike(node) ? node.text : '');

function visit(node, use) {
  use(node);
  ts.forEachChild(node, (child) => visit(child, use));
}
