/** When posts of all accounts of a network wait. */
export class NetworkOutageConfig {
  /** Accounts of a network without an answer, one after another, after which its posts wait while single posts probe it. */
  accounts = 3;

  /** First pause between probes; doubles up to 30 s. */
  probeMs = 2_000;
}
