import { randomUUIDv7 } from 'node:crypto';

/**
 * New ids for the rows of one import: UUIDv7 with one timestamp, then the row number, then random bits (RFC 9562, section
 * 6.2, counter), so that contacts are listed in the order of their file. Row numbers up to 2^34.
 */
export function rowIds(): (row: number) => string {
  const instant = randomUUIDv7().slice(0, 14);
  return (row) => {
    const high = hex(Math.floor(row / 2 ** 22) % 2 ** 12, 3);
    const middle = hex(0x8000 + (Math.floor(row / 2 ** 8) % 2 ** 14), 4);
    return `${instant}7${high}-${middle}-${hex(row % 2 ** 8, 2)}${randomUUIDv7().slice(-10)}`;
  };
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
