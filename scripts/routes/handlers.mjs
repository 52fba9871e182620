import ts from 'typescript';
import { decoratorsOf } from './sources.mjs';

const HANDLERS = new Set(['CommandHandler', 'QueryHandler']);

/** Commands and queries that no provider of a module handles: they fail when they are sent. */
export function unhandledMessages({ classes, listed }) {
  const handlers = new Map(
    classes.flatMap(({ name: handler, node }) =>
      decoratorsOf(node)
        .filter(({ name }) => HANDLERS.has(name))
        .map(({ args }) => [args[0]?.getText(), handler]),
    ),
  );
  return classes.filter(isMessage).flatMap(({ name: message, file }) => {
    const handler = handlers.get(message);
    if (!handler) return [`${file}: ${message} has no handler.`];
    if (!listed.has(handler)) return [`${file}: ${handler} is no provider of a module.`];
    return [];
  });
}

/** Not the base classes. */
const isMessage = ({ node }) =>
  !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword) &&
  /^extends (Request)?(Command|Query)\b/m.test(
    node.heritageClauses?.map((clause) => clause.getText()).join('\n') ?? '',
  ) &&
  /from '(@nestjs\/cqrs|#libs\/messages)'/.test(node.getSourceFile().text);
