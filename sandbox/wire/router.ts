import type { Handled } from './response.js';
import type { Call } from './call.js';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Segments starting with a colon are parameters. */
  readonly path: string;
  /** Larger bodies are refused. Default 1 MB. */
  readonly maxBodyBytes?: number;
  /** The body is written to a file as it arrives, and the call has the file instead of the bytes. For files of many megabytes. */
  readonly isFile?: boolean;
  readonly handle: (call: Call) => Handled;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/** Literal paths win over patterns; patterns are tried in the order they were given. HEAD is the same as GET (RFC 9110, 9.3.2). */
export class Router {
  private readonly literal = new Map<string, Route>();
  private readonly patterns: { readonly route: Route; readonly segments: readonly string[] }[] = [];

  constructor(readonly routes: readonly Route[]) {
    for (const route of routes) {
      if (route.path.includes('/:')) this.patterns.push({ route, segments: route.path.split('/') });
      else this.literal.set(`${route.method} ${route.path}`, route);
    }
  }

  match(given: string, path: string): Match | undefined {
    const method = given === 'HEAD' ? 'GET' : given;
    const literal = this.literal.get(`${method} ${path}`);
    if (literal) return { route: literal, params: NO_PARAMS };
    const segments = path.split('/');
    for (const pattern of this.patterns) {
      if (pattern.route.method !== method) continue;
      const params = bind(pattern.segments, segments);
      if (params) return { route: pattern.route, params };
    }
    return undefined;
  }
}

export const nameOf = (route: Route): string => `${route.method} ${route.path}`;

function bind(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = path[index] ?? '';
    if (!expected.startsWith(':')) {
      if (expected !== actual) return undefined;
      continue;
    }
    const value = decode(actual);
    if (!value) return undefined;
    params[expected.slice(1)] = value;
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
