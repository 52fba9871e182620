import ts from 'typescript';
import { decoratorsOf, leadsTo, textOf } from './sources.mjs';

/** A route says who may call it: by scopes, by a guard of its own, or that everyone may. */
const ACCESS = new Set(['Public', 'RequiresScopes', 'UseGuards']);
/** In a platform service the role of the caller in an organization decides, which the method compares itself. */
const CALLER = new Set(['AccessToken', 'CurrentActor', 'CurrentCaller']);
/** RequiresScopes is documented as 401 and 403. */
const ERRORS = new Set([
  'ApiServiceUnavailableResponse',
  'problemResponse',
  'problemResponses',
  'RequiresScopes',
]);
const IS_ID = /^id$|Ids?$/;
/** Decorators of a field that check nothing of an id. */
const NO_CHECK = /^(Api\w+|Allow|IsNotEmpty|IsOptional|IsString)$/;

export const RULES = {
  access: ({ file, calls, parameters }, { calledBy }) => {
    if (leadsTo(calls, ACCESS, calledBy)) return [];
    if (file.startsWith('src/platform/') && parameters.some(({ name }) => CALLER.has(name))) return [];
    return ['says nothing of who may call it. Add RequiresScopes, a guard, or Public.'];
  },

  errors: ({ calls, decorators }, { calledBy }) =>
    decorators.some(({ name }) => name === 'ApiExcludeController') || leadsTo(calls, ERRORS, calledBy)
      ? []
      : ['documents no error. Add problemResponses.'],

  ids: (route, { classes }) => [...pathIds(route), ...queryIds(route, classes)],
};

function* pathIds({ path, parameters }) {
  for (const [, name] of path.matchAll(/:(\w+)/g)) {
    if (!IS_ID.test(name)) continue;
    const bound = parameters.find(({ name: kind, args }) => kind === 'Param' && textOf(args[0]) === name);
    const isChecked = bound?.args.slice(1).some((pipe) => /IdPipe\b/.test(pipe.getText()));
    if (!isChecked) yield `does not check ${name} of its path. Use ParseIdPipe.`;
  }
}

function* queryIds({ method, parameters }, classes) {
  for (const { args, node } of parameters.filter(({ name }) => name === 'Query')) {
    const name = textOf(args[0]);
    const type = node.type?.getText();
    // The compiler makes the method look at an unknown value.
    if (IS_ID.test(name) && args.length === 1 && type !== 'unknown')
      yield `does not check ${name} of its query. Use ParseIdPipe.`;
    if (args.length > 0) continue;
    for (const field of fieldsOf(type, classes))
      if (!isChecked(field) && !isTransformed(field, method))
        yield `does not check ${field.name.getText()} of its query. Use IdFilter, or ParseIdPipe in the method.`;
  }
}

/** Fields of a class and of those that it extends that are named as ids. */
function fieldsOf(type, classes, seen = new Set()) {
  if (seen.has(type)) return [];
  seen.add(type);
  return classes
    .filter(({ name }) => name === type)
    .flatMap(({ node: { members, heritageClauses = [] } }) => [
      ...members.filter((each) => ts.isPropertyDeclaration(each) && IS_ID.test(each.name.getText())),
      ...heritageClauses
        .flatMap((clause) => clause.getText().match(/\b[A-Z]\w+/g) ?? [])
        .flatMap((base) => fieldsOf(base, classes, seen)),
    ]);
}

const isChecked = (field) => decoratorsOf(field).some(({ name }) => !NO_CHECK.test(name));

const isTransformed = (field, method) =>
  new RegExp(`\\.transform\\([\\w.]*\\b${field.name.getText()}\\)`).test(method.getText());
