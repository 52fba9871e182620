import ts from 'typescript';
import { callsIn, decoratorsOf, textOf } from './sources.mjs';

const METHODS = new Set(['All', 'Delete', 'Get', 'Head', 'Options', 'Patch', 'Post', 'Put']);

/** Every route with its decorators, its path and its parameters. */
export function routesIn({ classes }) {
  return classes.flatMap(({ file, node }) => {
    const ofClass = decoratorsOf(node);
    const controller = ofClass.find(({ name }) => name === 'Controller');
    if (!controller) return [];
    return node.members.filter(ts.isMethodDeclaration).flatMap((method) => {
      const own = decoratorsOf(method);
      const route = own.find(({ name }) => METHODS.has(name));
      if (!route) return [];
      const decorators = [...ofClass, ...own];
      return {
        file,
        method,
        decorators,
        calls: new Set(decorators.flatMap(({ call }) => [...callsIn(call)])),
        path: `${textOf(controller.args[0])}/${textOf(route.args[0])}`,
        parameters: method.parameters.flatMap((node) =>
          decoratorsOf(node).map((decorator) => ({ ...decorator, node })),
        ),
      };
    });
  });
}
