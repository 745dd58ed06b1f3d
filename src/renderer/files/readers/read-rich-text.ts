/** Groups whose text isn't part of the document. */
const SKIPPED = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'themedata',
  'listtable',
  'listoverridetable',
  'rsidtbl',
  'generator',
  'xmlnstbl',
  'latentstyles',
  'datastore',
  'fldinst',
])
const MARKS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n\n',
  page: '\n\n',
  row: '\n',
  tab: '\t',
  cell: ' | ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
}

/** The text for a symbol after a backslash. Programs of macOS end a paragraph with a line end. */
const SYMBOLS: Readonly<Partial<Record<string, string>>> = {
  '\\': '\\',
  '{': '{',
  '}': '}',
  '~': '\u00a0',
  _: '\u2011',
  '\n': '\n',
  '\r': '\n',
  '\r\n': '\n',
}

/**
 * The text of an RTF document. Fonts, styles, pictures and embedded objects are skipped.
 *
 * @param source from a file that begins with `{\rtf`, one character for each byte
 * @see Rich Text Format Specification 1.9.1
 */
export function readRichText(source: string): string {
  const parts: string[] = []
  const groups: { skipped: boolean; fallback: number }[] = []
  let state = { skipped: false, fallback: 1 }
  let codePage = 'windows-1252'
  let bytes: number[] = []
  /** Characters that repeat the one before for programs without Unicode. */
  let repeated = 0
  const flush = () => {
    if (bytes.length > 0) parts.push(new TextDecoder(codePage).decode(Uint8Array.from(bytes)))
    bytes = []
  }
  const token =
    /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\(\r\n|[^a-z])|([{}])|([\r\n]+)|([^\\{}\r\n]+)/gi
  for (const [, word, number, hex, symbol, brace, , text] of source.matchAll(token)) {
    if (hex !== undefined) {
      if (repeated > 0) repeated -= 1
      else if (!state.skipped) bytes.push(parseInt(hex, 16))
      continue
    }
    flush()
    if (brace === '{') groups.push({ ...state })
    else if (brace === '}') state = groups.pop() ?? state
    else if (symbol === '*') state = { ...state, skipped: true }
    else if (symbol !== undefined && !state.skipped) parts.push(SYMBOLS[symbol] ?? '')
    else if (text !== undefined) {
      const shown = text.slice(repeated)
      repeated = Math.max(0, repeated - text.length)
      if (!state.skipped) parts.push(shown)
    } else if (word !== undefined) {
      if (SKIPPED.has(word)) state = { ...state, skipped: true }
      else if (word === 'ansicpg') codePage = codePageOf(number)
      else if (word === 'mac') codePage = 'macintosh'
      else if (word === 'uc') state = { ...state, fallback: Math.min(Number(number ?? 1), 8) }
      else if (word === 'u' && !state.skipped) {
        parts.push(String.fromCharCode((Number(number ?? 0) + 65_536) % 65_536))
        repeated = state.fallback
      } else if (!state.skipped && Object.hasOwn(MARKS, word)) parts.push(MARKS[word] ?? '')
    }
  }
  flush()
  return parts
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function codePageOf(number: string | undefined): string {
  const names: Readonly<Record<string, string>> = {
    932: 'shift_jis',
    936: 'gb18030',
    949: 'euc-kr',
    950: 'big5',
    874: 'windows-874',
  }
  const name = names[number ?? ''] ?? `windows-${number ?? '1252'}`
  try {
    return new TextDecoder(name).encoding
  } catch {
    return 'windows-1252'
  }
}
