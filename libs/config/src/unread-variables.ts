import { readFileSync } from 'node:fs';
import type { Environment } from './load-config.js';

/** It lists every variable of the product (test/environment.spec.ts) and is part of the image. */
const LIST = new URL('../../../../.env.example', import.meta.url);
const LISTED = /^# ([A-Z][A-Z0-9_]*)=/gm;
/** Node reads more variables that begin so. */
const WORDS_OF_OTHERS = new Set(['NODE']);

/**
 * Names of set variables that no process of the product reads, though they begin with a word that variables of the product
 * begin with: misspelled or removed ones. Several processes can share an environment, so what another one reads is known.
 */
export function unreadVariables(environment: Environment, list = readFileSync(LIST, 'utf8')): string[] {
  const known = new Set([...list.matchAll(LISTED)].map(([, name = '']) => name));
  const words = new Set([...known].map(firstWord).filter((word) => !WORDS_OF_OTHERS.has(word)));
  return Object.keys(environment)
    .filter((name) => name.includes('_') && words.has(firstWord(name)) && !known.has(name))
    .sort();
}

const firstWord = (name: string): string => name.split('_', 1)[0] ?? '';
