import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from './refusal.js';

/**
 * Makes the folder and those it stands in. One after the other, because Node's own recursion never ends where a parent is
 * there and takes no folders, as in /proc.
 * @throws Refusal when something else is in the way, or the system's error
 */
export async function ensureFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await ensureFolder(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Refusal(`No folder can be made in ${parent}. Set DATA_DIR to a folder that is yours.`);
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
