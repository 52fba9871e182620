import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface FetchedPackage {
  readonly name: string;
  readonly version: string;
  /** A file of the package that is there once it is installed. */
  readonly entry: string;
  readonly overrides?: Readonly<Record<string, string>>;
}

/**
 * A server to compare with, fetched by npm when a line needs it, no dependency of this package. Scripts of packages are not run. The
 * folder survives until the next installation of dependencies, so that it is fetched once.
 * @returns the path of the entry
 */
export async function fetched({ name, version, entry, overrides = {} }: FetchedPackage): Promise<string> {
  const cache = join(process.cwd(), 'node_modules', '.cache');
  const folder = join(cache, `bench-${name.replace(/^@|\/.*$/g, '')}-${version}`);
  const path = join(folder, 'node_modules', name, entry);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const wanted = { private: true, dependencies: { [name]: version }, overrides };
  await writeFile(join(folder, 'package.json'), JSON.stringify(wanted));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...options], { cwd: folder });
  return path;
}
