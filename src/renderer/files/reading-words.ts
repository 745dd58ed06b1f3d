/** Names as people know them. They are the same in every language. */
const NAMES: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'utf-32le': 'UTF-32 LE',
  'utf-32be': 'UTF-32 BE',
  gb18030: 'GB18030 (GBK)',
  big5: 'Big5',
  shift_jis: 'Shift JIS',
  ibm866: 'CP866',
  macintosh: 'Mac Roman',
  'x-mac-cyrillic': 'Mac Cyrillic',
  'windows-1252': 'Windows-1252 (ISO-8859-1)',
  'windows-1254': 'Windows-1254 (ISO-8859-9)',
  'koi8-u': 'KOI8-U (KOI8-R)',
}

/** @param encoding as `TextDecoder` names it */
export function nameEncoding(encoding: string): string {
  return (
    NAMES[encoding] ??
    encoding.replace(/^windows/, 'Windows').replace(/^(?:iso|euc)/, (part) => part.toUpperCase())
  )
}

/** Pages in ascending order as ranges, such as `2–4, 7`. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last && page === last[1] + 1) last[1] = page
    else ranges.push([page, page])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${String(from)}–${String(to)}`)).join(', ')
}
