/** A further host of a network: the real one, or a path of the stand-in that the variable of the network names. */
export function hostOf(base: string, realBase: string, host: string, pathInStandIn: string): string {
  const { origin } = new URL(base);
  return origin === new URL(realBase).origin ? host : origin + pathInStandIn;
}
