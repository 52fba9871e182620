interface Closable {
  close(): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * For entry files: closes the services, last started first, when the process is told to end, and then ends
 * it by the same signal, so that whoever waits for it sees why. A second signal ends it at once.
 */
export function closeOnSignals(services: readonly Closable[], onFailure: (error: unknown) => void): void {
  const end = (signal: NodeJS.Signals): void => {
    for (const known of SIGNALS) process.off(known, end);
    void closeAll(services)
      .catch(onFailure)
      .finally(() => process.kill(process.pid, signal));
  };
  for (const signal of SIGNALS) process.on(signal, end);
}

async function closeAll(services: readonly Closable[]): Promise<void> {
  for (const service of services.toReversed()) await service.close();
}
