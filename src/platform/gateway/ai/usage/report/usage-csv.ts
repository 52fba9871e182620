import { BYTE_ORDER_MARK, csvText, formulaGuard } from '#libs/text';
import { dollarsOf } from '../spend/money.js';
import { MEMBER_OF } from './usage-report.dto.js';
import type { Grouping } from './usage-query.js';
import type { UsageGroup, UsageSums } from './usage-report.js';

const STYLE = { delimiter: ',', guard: formulaGuard() };

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
  return BYTE_ORDER_MARK + csvText([[...keys, ...Object.keys(COLUMNS)]], STYLE);
}

export function csvRows(groupBy: readonly Grouping[], groups: readonly UsageGroup[]): string {
  const rows = groups.map((group) => {
    const keys = groupBy.flatMap((one, index) => {
      const key = group.keys[index] ?? '';
      return one === 'application' ? [key, group.application ?? ''] : [key];
    });
    return [...keys, ...Object.values(COLUMNS).map((valueOf) => String(valueOf(group)))];
  });
  return csvText(rows, STYLE);
}
