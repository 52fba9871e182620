/** A host beside the one that a variable names: the real host, or a path of the stand-in that the variable names. */
export function hostOf(base: string, realBase: string, host: string, pathInStandIn: string): string {
  const { origin } = new URL(base);
  return origin === new URL(realBase).origin ? host : origin + pathInStandIn;
}
