import { dollarsOf } from '../money.js';
import { MEMBER_OF } from './dto/usage-report.dto.js';
import type { Grouping } from './usage-query.js';
import type { UsageGroup, UsageSums } from './usage-report.js';

const BYTE_ORDER_MARK = '\uFEFF';

/** Each a column; amounts are dollars. */
const COLUMNS: Readonly<Record<string, (sums: UsageSums) => number | string>> = {
  calls: ({ calls }) => calls,
  attempts: ({ attempts }) => attempts,
  failed: ({ failed }) => failed,
  unknown: ({ unknown }) => unknown,
  estimated: ({ estimated }) => estimated,
  unpriced: ({ unpriced }) => unpriced,
  notSent: ({ released }) => released,
  cost: ({ cost }) => dollarsOf(cost),
  uncertainCost: ({ uncertainCost }) => dollarsOf(uncertainCost),
  inputTokens: ({ inputTokens }) => inputTokens,
  cachedInputTokens: ({ cachedInputTokens }) => cachedInputTokens,
  cacheWriteTokens: ({ cacheWriteTokens }) => cacheWriteTokens,
  outputTokens: ({ outputTokens }) => outputTokens,
  inputImageTokens: ({ inputImageTokens }) => inputImageTokens,
  outputImageTokens: ({ outputImageTokens }) => outputImageTokens,
  inputAudioTokens: ({ inputAudioTokens }) => inputAudioTokens,
  audioSeconds: ({ audioSeconds }) => audioSeconds,
  images: ({ images }) => images,
};

/** The first line, with a byte order mark. */
export function csvHeader(groupBy: readonly Grouping[]): string {
  const keys = groupBy.flatMap((one) => (one === 'application' ? ['applicationId', one] : [MEMBER_OF[one]]));
  return BYTE_ORDER_MARK + lineOf([...keys, ...Object.keys(COLUMNS)]);
}

export function csvRows(groupBy: readonly Grouping[], groups: readonly UsageGroup[]): string {
  return groups
    .map((group) => {
      const keys = groupBy.flatMap((one, index) => {
        const key = guarded(group.keys[index] ?? '');
        return one === 'application' ? [key, guarded(group.application ?? '')] : [key];
      });
      return lineOf([...keys, ...Object.values(COLUMNS).map((valueOf) => String(valueOf(group)))]);
    })
    .join('');
}

/** Spreadsheets compute cells that begin with these signs (OWASP, "CSV Injection"). */
const guarded = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** RFC 4180. */
const lineOf = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
