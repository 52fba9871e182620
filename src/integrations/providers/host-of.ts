/**
 * A host of a network beside the one that its variable names: the real host, or, when the variable names a stand-in such as the
 * sandbox, a path there.
 */
export function hostOf(base: string, realBase: string, host: string, pathInStandIn: string): string {
  const { origin } = new URL(base);
  return origin === new URL(realBase).origin ? host : origin + pathInStandIn;
}
