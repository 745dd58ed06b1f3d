import { scanMarkup } from './scan-markup.ts'
import { MarkdownWriter } from './markdown-writer.ts'

const UNREAD = new Set([
  'head',
  'script',
  'style',
  'template',
  'title',
  'svg',
  'noscript',
  'iframe',
  'object',
])
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'figure',
  'dl',
  'dt',
  'dd',
])
const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  em: '_',
  i: '_',
  del: '~~',
  s: '~~',
  code: '`',
}

/**
 * Converts HTML to Markdown. The HTML is only scanned as text: no element is created, and nothing in it runs or loads. Time is linear
 * in its length.
 *
 * @returns '' if it has no text
 * @throws {MarkupTooDeep}
 */
export function markdownOfHtml(html: string): string {
  const writer = new MarkdownWriter()
  let unread = 0
  /** What ends with each open element. */
  const ends: { name: string; end: () => void }[] = []

  const begin = (name: string, attribute: (name: string) => string | undefined): (() => void) => {
    const mark = MARKS[name]
    // Google Docs puts everything into a bold element that isn't bold.
    const isPlain = /font-weight:\s*(?:normal|400)/.test(attribute('style') ?? '')
    if (mark !== undefined) return isPlain ? () => undefined : writer.mark(mark)
    if (/^h[1-6]$/.test(name)) return writer.heading(Number(name.slice(1)))
    switch (name) {
      case 'a':
        return writer.link(attribute('href'))
      case 'ul':
        return writer.list()
      case 'ol':
        return writer.list(Number(attribute('start') ?? 1))
      case 'li':
        return writer.item()
      case 'blockquote':
        return writer.quote()
      case 'pre':
        return writer.code()
      case 'table':
        return writer.table()
      case 'tr':
        return writer.row()
      case 'td':
      case 'th':
        return writer.cell()
      default:
        return BLOCKS.has(name) ? writer.block() : () => undefined
    }
  }

  scanMarkup(html, {
    open(name, attribute) {
      if (UNREAD.has(name)) unread += 1
      else if (unread === 0 && name === 'br') writer.lineBreak()
      else if (unread === 0 && name === 'hr') writer.rule()
      else if (unread === 0 && name === 'img') writer.text(attribute('alt') ?? '')
      else if (unread === 0) ends.push({ name, end: begin(name, attribute) })
    },
    close(name) {
      if (UNREAD.has(name)) unread = Math.max(0, unread - 1)
      if (unread > 0) return
      const at = ends.findLastIndex((open) => open.name === name)
      // An element without an end ends with the one around it.
      if (at >= 0) for (const { end } of ends.splice(at).reverse()) end()
    },
    text: (text) => {
      if (unread === 0) writer.text(text)
    },
  })
  for (const { end } of ends.reverse()) end()
  return writer.result()
}
