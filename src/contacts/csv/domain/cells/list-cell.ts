/** Google joins with ` ::: `, others with semicolons or line breaks; commas part tags, never phone numbers. */
const SEPARATORS = { tags: /:::|[;,\r\n]+/, phones: /:::|[;\r\n]+/, websites: /:::|[;,\s]+/ } as const;
const NEEDS_JSON = /:::|[;,\r\n]|^\* |^\[|^"/;

/** Several values in one cell: parted by semicolons, as a JSON array where a value holds a separator itself. */
export function listCell(values: readonly string[]): string {
  return values.some((value) => NEEDS_JSON.test(value)) ? JSON.stringify(values) : values.join('; ');
}

/** A list as JSON of which no value needs JSON: each quote is the border of one. */
const PLAIN_LIST = /^\["[^"\\,;:*[]*(?:","[^"\\,;:*[]*)*"\]$/;

/** The cell of a list that comes as JSON, as the database writes it: without space. Most need no more than other borders. */
export function listCellOfJson(json: string): string {
  if (json === '[]' || json === '') return '';
  if (PLAIN_LIST.test(json)) return json.slice(2, -2).replaceAll('","', '; ');
  return listCell(JSON.parse(json) as string[]);
}

/**
 * The values in a cell, as `listCell` or another program wrote them. Google's labels come with `* ` in front, Mailchimp's tags
 * in quotes with commas between them.
 */
export function valuesOfCell(cell: string, kind: keyof typeof SEPARATORS): string[] {
  const values = jsonList(cell) ?? quotedList(cell);
  return values ?? cell.split(SEPARATORS[kind]).map((value) => value.trim().replace(/^\* /, ''));
}

/** `"One, two","Three"`: all of the cell, or it is no such list. */
const QUOTED_LIST = /^"[^"]*(?:""[^"]*)*"(?:\s*[,;]\s*"[^"]*(?:""[^"]*)*")*$/;

function quotedList(cell: string): string[] | undefined {
  if (!QUOTED_LIST.test(cell)) return undefined;
  const values = cell.match(/"[^"]*(?:""[^"]*)*"/g) ?? [];
  return values.map((value) => value.slice(1, -1).replaceAll('""', '"').trim());
}

function jsonList(cell: string): string[] | undefined {
  if (!cell.startsWith('["')) return undefined;
  try {
    const list: unknown = JSON.parse(cell);
    return Array.isArray(list) && list.every((value) => typeof value === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
