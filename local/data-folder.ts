import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from './refusal.js';

/** @returns undefined when the file is missing or incomplete */
export async function readPrivateFile<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a temporary file and renames it, so that a crash leaves the old or the new content. Mode 600. */
export async function writePrivateFile(file: string, content: object): Promise<void> {
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

/**
 * Creates the folder and its parents one by one, because Node's recursive mkdir never ends below a parent that accepts no
 * folders, such as /proc.
 * @throws Refusal when a file is in the way, or the system's error
 */
export async function ensureFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await ensureFolder(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Refusal(`No folder can be created in ${parent}. Set DATA_DIR to a folder that is yours.`);
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (found && !found.isDirectory())
    throw new Refusal(`${path} is a file. Move it away, or set DATA_DIR to a folder.`);
  return found !== undefined;
}
