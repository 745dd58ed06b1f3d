/** Deeper than any document that a program writes. */
const MAX_DEPTH = 1_000

/** Elements are nested deeper than any program writes them. */
export class MarkupTooDeep extends Error {
  override name = 'MarkupTooDeep'
}

export interface MarkupHandler {
  /** A name is without its prefix, in lower case. An attribute's name keeps its prefix and case. */
  readonly open: (name: string, attribute: (name: string) => string | undefined) => void
  readonly close: (name: string) => void
  readonly text: (text: string) => void
}

/**
 * Reads XML, or HTML that is nearly XML, from beginning to end. Entities that a document declares are never expanded and nothing is
 * fetched. Time is linear in the length of the text, which an attacker controls.
 *
 * @throws {MarkupTooDeep}
 */
export function scanMarkup(markup: string, { open, close, text }: MarkupHandler): void {
  let depth = 0
  let at = 0
  while (at < markup.length) {
    const start = markup.indexOf('<', at)
    const before = markup.slice(at, start === -1 ? undefined : start)
    if (before !== '') text(decodeEntities(before))
    if (start === -1) return
    const skipped = skipUnread(markup, start, text)
    if (skipped !== undefined) {
      at = skipped
      continue
    }
    const end = endOfTag(markup, start)
    const tag = markup.slice(start + 1, end)
    at = end + 1
    if (tag.startsWith('/')) {
      depth -= 1
      close(nameOf(tag.slice(1)))
      continue
    }
    const name = nameOf(tag)
    open(name, (wanted) => attributeOf(tag, wanted))
    if (tag.endsWith('/')) close(name)
    else if (!/^(?:br|hr|img|meta|link|input|col)$/.test(name)) depth += 1
    if (depth > MAX_DEPTH) throw new MarkupTooDeep()
    // Of HTML. A style with a prefix belongs to another language, and has elements.
    if (/^(?:script|style)(?:\s|$)/i.test(tag) && !tag.endsWith('/'))
      at = skipTo(markup, `</${tag.split(/[\s>]/, 1)[0] ?? ''}`, at)
  }
}

/** Comments, declarations and instructions. Returns where reading goes on, or undefined if this is a tag. */
function skipUnread(markup: string, start: number, text: (text: string) => void): number | undefined {
  if (markup.startsWith('<!--', start)) return skipTo(markup, '-->', start) + 3
  if (markup.startsWith('<![CDATA[', start)) {
    const end = skipTo(markup, ']]>', start)
    text(markup.slice(start + 9, end))
    return end + 3
  }
  if (markup.startsWith('<?', start)) return skipTo(markup, '?>', start) + 2
  if (markup.startsWith('<!', start)) return skipTo(markup, '>', start) + 1
  return undefined
}

function skipTo(markup: string, end: string, from: number): number {
  const at = markup.indexOf(end, from)
  return at === -1 ? markup.length : at
}

/** A `>` within quotes doesn't end a tag. */
function endOfTag(markup: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < markup.length; at += 1) {
    const character = markup.charAt(at)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at
    else if (character === '"' || character === "'") quote = character
  }
  return markup.length
}

function nameOf(tag: string): string {
  const name = /^[^\s/>]{1,200}/.exec(tag)?.[0] ?? ''
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

function attributeOf(tag: string, wanted: string): string | undefined {
  for (const sign of ['"', "'"]) {
    const assigned = `${wanted}=${sign}`
    for (let start = tag.indexOf(assigned); start !== -1; start = tag.indexOf(assigned, start + 1)) {
      if (start === 0 || !/\s/.test(tag.charAt(start - 1))) continue
      const from = start + assigned.length
      const end = tag.indexOf(sign, from)
      if (end !== -1) return decodeEntities(tag.slice(from, end))
    }
  }
  return undefined
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  copy: '©',
  euro: '€',
  shy: '',
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
    const code = typeof hex === 'string' ? parseInt(hex, 16) : parseInt(String(decimal), 10)
    return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code < 9
      ? '\ufffd'
      : String.fromCodePoint(code)
  })
}
