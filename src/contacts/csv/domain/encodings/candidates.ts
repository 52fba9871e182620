import type { HanLanguage } from './han-model.js';

/** A possible encoding of a file without a byte order mark. */
export interface Candidate {
  /** As `canonicalLabel` writes it. */
  readonly label: string;
  /** Natural logarithm of its frequency relative to windows-1252. Decides only when the text gives no evidence. */
  readonly prior: number;
  /** For encodings with two bytes per character: the language, and the first bytes of common characters. */
  readonly han?: { readonly language: HanLanguage; readonly everyday: readonly [number, number] };
}

/** Single-byte encodings that programs still write, then those of East Asia. */
export const CANDIDATES: readonly Candidate[] = [
  { label: 'windows-1252', prior: 0 },
  { label: 'windows-1250', prior: -1 },
  { label: 'windows-1251', prior: -1 },
  { label: 'windows-1253', prior: -1 },
  { label: 'windows-1254', prior: -1 },
  { label: 'windows-1255', prior: -1 },
  { label: 'windows-1256', prior: -1 },
  { label: 'windows-1257', prior: -1 },
  { label: 'windows-1258', prior: -3 },
  { label: 'windows-874', prior: -1 },
  { label: 'macintosh', prior: -1.5 },
  { label: 'x-mac-cyrillic', prior: -3 },
  { label: 'iso-8859-2', prior: -1.5 },
  { label: 'iso-8859-5', prior: -3 },
  { label: 'iso-8859-7', prior: -1.5 },
  { label: 'iso-8859-13', prior: -3 },
  { label: 'iso-8859-15', prior: -2 },
  { label: 'iso-8859-16', prior: -3 },
  { label: 'koi8-u', prior: -2 },
  { label: 'koi8-r', prior: -2 },
  { label: 'ibm866', prior: -3 },
  { label: 'iso-8859-4', prior: -6 },
  { label: 'cp437', prior: -3 },
  { label: 'cp850', prior: -2 },
  { label: 'cp852', prior: -2 },
  { label: 'cp857', prior: -3 },
  { label: 'cp737', prior: -3 },
  { label: 'cp775', prior: -4 },
  { label: 'maccenteuro', prior: -2.5 },
  { label: 'macturkish', prior: -4 },
  { label: 'macgreek', prior: -4 },
  { label: 'maciceland', prior: -4 },
  { label: 'shift_jis', prior: -1, han: { language: 'ja', everyday: [0x82, 0x97] } },
  { label: 'euc-jp', prior: -2, han: { language: 'ja', everyday: [0xa4, 0xcf] } },
  { label: 'gbk', prior: -1, han: { language: 'zh', everyday: [0xb0, 0xd7] } },
  { label: 'big5', prior: -1, han: { language: 'tw', everyday: [0xa4, 0xc6] } },
  { label: 'euc-kr', prior: -1, han: { language: 'ko', everyday: [0xb0, 0xc8] } },
];
