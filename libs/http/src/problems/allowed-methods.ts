import type { Request } from 'express';

/** The used part of the router's layers. `match` decodes parameters and may throw URIError. */
interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods of the routes that match the request's path, sorted; empty for an unknown path. */
export function allowedMethods(request: Request): string[] {
  const stack = (request.app.router as unknown as { stack: readonly RouteLayer[] }).stack;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function matches(layer: RouteLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
