import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from './refusal.js';

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
