/** One thing that a service needs, and how to ask whether it is well. */
export interface HealthCheck {
  /** camelCase, unique within the service; a key of the answer's `details`. */
  readonly name: string;
  /** Without a hard one the service is not ready and not healthy (503); without a soft one it is `degraded` (200). */
  readonly hard: boolean;
  /** Readiness names it too, though it stays 200: for what a rolling release should be seen to wait for. */
  readonly inReadiness?: boolean;
  /**
   * Resolves when it is well, with what an operator may know: counts and ages, never hosts or secrets.
   * Has one second, and is not asked again before it has settled: it should give up by itself. @throws when it is not
   */
  check(): Promise<Readonly<Record<string, unknown>> | void>;
}
