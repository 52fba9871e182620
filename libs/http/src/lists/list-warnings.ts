import { currentContext, type RequestContext } from '../context/request-context.js';
import { MAX_ERRORS, shortened } from '../validation/field-errors.js';

/** A parameter that a list changed or ignored. Lists are never refused for their parameters. */
export interface ListWarning {
  /** Name of the query parameter. */
  readonly parameter: string;
  /** Stable machine name, snake_case. */
  readonly code: string;
  /** What is wrong and what to send instead. */
  readonly message: string;
}

const warnings = new WeakMap<RequestContext, ListWarning[]>();

/** Adds a warning to the response of the running request, up to `MAX_ERRORS`. Outside a request it does nothing. */
export function warnOfParameter(warning: ListWarning): void {
  const context = currentContext();
  if (!context) return;
  const given = warnings.get(context) ?? [];
  if (given.length >= MAX_ERRORS) return;
  warnings.set(context, [...given, { ...warning, parameter: shortened(warning.parameter) }]);
}

/** The warnings of the running request, in the order they were added. */
export function listWarnings(): readonly ListWarning[] {
  const context = currentContext();
  return (context && warnings.get(context)) ?? [];
}
