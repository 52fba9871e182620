/** A check of one dependency of a service. */
export interface HealthCheck {
  /** camelCase, unique within the service; a key of `details` in the response. */
  readonly name: string;
  /** A failed hard check makes the service not ready and not healthy (503), a failed soft one `degraded` (200). */
  readonly hard: boolean;
  /** Listed in readiness too, without changing its status, so that operators see it during a rolling release. */
  readonly inReadiness?: boolean;
  /**
   * * Resolves if the dependency is healthy, with data for operators: counts and ages, never hosts or secrets.
   * Has one second. Runs again only after it has settled, so it needs its own timeout. @throws if it is not healthy
   */
  check(): Promise<Readonly<Record<string, unknown>> | void>;
}
