import { posix } from 'node:path';

export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** What sub-folders may import of the folder above: names and shapes, which import no sub-folder. */
const SHARED = /\.(errors|types|config|stream|store|entity)\.ts$/;
const IMPORTS = /(?:from|import)\s*\(?'(\.[^']+)'/g;

const importsOf = ({ file, text }: SourceText): readonly string[] =>
  [...text.matchAll(IMPORTS)].map(([, specifier = '']) =>
    posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'),
  );

/** The sub-folder of `folder` that holds the file. */
const childOf = (folder: string, file: string): string =>
  posix.join(folder, file.slice(folder.length + 1).split('/')[0] ?? '');

/**
 * Sub-folders that import files of the folder above, which imports files of them: two folders in a circle, which the import rules of
 * folders do not find.
 */
export function parentPairs(sources: readonly SourceText[]): string[] {
  const upwards = new Set<string>();
  const downwards = new Set<string>();
  for (const source of sources) {
    const from = posix.dirname(source.file);
    for (const target of importsOf(source)) {
      const folder = posix.dirname(target);
      if (folder.startsWith(`${from}/`)) downwards.add(childOf(from, target));
      else if (from.startsWith(`${folder}/`) && !SHARED.test(target))
        upwards.add(childOf(folder, source.file));
    }
  }
  return [...upwards].filter((child) => downwards.has(child)).sort();
}

/** Pairs that are known. The list only shrinks. */
export const KNOWN_PAIRS: readonly string[] = [
  'libs/event-store/src/reactions',
  'libs/event-store/src/rebuild',
  'libs/outbound-http/src/public',
  'local/demo',
  'sandbox/networks',
  'sandbox/networks/kit/oauth',
  'src/api',
  'src/integrations/commands',
  'src/integrations/http',
  'src/integrations/queries',
  'src/integrations/registry',
  'src/media/renditions/worker',
];
