import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** zxcvbn rates 10^8 guesses as safe against an attacker who has hashes that are slow to verify. */
const MIN_GUESSES = 1e8;
/** An attacker can try all numbers with fewer digits. */
const MIN_DIGITS = 12;

/** Bounds the time of one check to some milliseconds: it grows with the square of the length and with the substitutes. */
const MAX_CHECKED_CHARACTERS = 40;
const MAX_SUBSTITUTIONS = 8;

/**
 * Detects what attackers guess first: common passwords and words, also with substitutes, digits and marks; short numbers;
 * dates; repetitions; walks over the keyboard; the person's own words. Of a long password only the beginning counts.
 * @param own address of the account
 */
export function isCommonPassword(password: string, own: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (isOwnAddress(plain, own.toLowerCase())) return true;
  return isShortNumber(plain) || estimate(plain).guesses < MIN_GUESSES || isWordWithMarks(plain);
}

/** The address, or its part before or after the @, with up to three characters more. */
function isOwnAddress(text: string, address: string): boolean {
  return [address, ...address.split('@')].some(
    (part) => text.includes(part) && text.length - part.length <= 3,
  );
}

/** 12051990, 12/05/1990! */
function isShortNumber(text: string): boolean {
  const inside = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/[\s./:_-]/g, '');
  return /^\p{N}+$/u.test(inside) && inside.length < MIN_DIGITS;
}

/** i-love-you: zxcvbn rates each mark as a random character. */
function isWordWithMarks(text: string): boolean {
  const { sequence } = estimate(text.replace(/[^\p{L}\p{N}]/gu, ''));
  return sequence.length === 1 && sequence[0]?.pattern === 'dictionary';
}

let checker: ZxcvbnFactory | undefined;

function estimate(text: string): ZxcvbnResult {
  checker ??= new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: MAX_CHECKED_CHARACTERS,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
  });
  return checker.check(text);
}
