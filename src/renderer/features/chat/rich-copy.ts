const BLOCKS = new Set([
  'P',
  'UL',
  'OL',
  'LI',
  'BLOCKQUOTE',
  'TABLE',
  'TR',
  'H2',
  'H3',
  'H4',
  'PRE',
  'DETAILS',
  'SUMMARY',
  'HR',
])
const COPIED = new Set([
  ...BLOCKS,
  ...[
    'THEAD',
    'TBODY',
    'TH',
    'TD',
    'STRONG',
    'EM',
    'DEL',
    'INS',
    'SUB',
    'SUP',
    'KBD',
    'MARK',
    'SMALL',
    'BR',
    'CODE',
  ],
])
const EMPTY = new Set(['BR', 'HR'])

/** Part of a reply as HTML for other programs: no classes, links with their address, formulas as LaTeX. */
export function richText(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.textContent ?? '')
  if (!(node instanceof Element)) return inside(node, richText)
  const latex = latexOf(node)
  if (latex !== undefined) return escaped(latex)
  const { tagName } = node
  if (tagName === 'BUTTON' || tagName === 'FIGCAPTION') return ''
  if (tagName === 'INPUT') return tickOf(node)
  if (tagName === 'IMG') return openingTag('img', node, ['src', 'alt'])
  if (isLink(node))
    return [openingTag('a', node, [], node.getAttribute('title')), inside(node, richText), '</a>'].join('')
  if (!COPIED.has(tagName)) return inside(node, richText)
  const level = node.getAttribute('data-level')
  const name = level === null ? tagName.toLowerCase() : `h${level}`
  const opening = openingTag(name, node, ['start'])
  return EMPTY.has(tagName) ? opening : `${opening}${inside(node, richText)}</${name}>`
}

function openingTag(
  name: string,
  node: Element,
  attributes: readonly string[],
  href: string | null = null,
): string {
  const values = [['href', href] as const, ...attributes.map((key) => [key, node.getAttribute(key)] as const)]
  const written = values.map(([key, value]) => (value === null ? '' : ` ${key}="${escaped(value)}"`))
  return `<${name}${written.join('')}>`
}

/** The content as plain text, with a line for each block. */
export function plainText(node: Node): string {
  return written(node)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

function written(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  if (!(node instanceof Element)) return inside(node, written)
  const latex = latexOf(node)
  if (latex !== undefined) return latex
  const { tagName } = node
  if (tagName === 'BUTTON' || tagName === 'FIGCAPTION') return ''
  if (tagName === 'BR') return '\n'
  if (tagName === 'INPUT') return tickOf(node)
  const text = inside(node, written)
  if (tagName === 'TD' || tagName === 'TH') return text.concat('\t')
  return BLOCKS.has(tagName) ? '\n'.concat(text, '\n') : text
}

/** A table as tab-separated values. */
export function tableText(table: HTMLTableElement): string {
  return [...table.rows]
    .map((row) => [...row.cells].map((cell) => plainText(cell).replaceAll(/\s+/g, ' ')).join('\t'))
    .join('\n')
}

/**
 * Copies a selection that contains formulas. Each formula is in the page twice, as a drawing and as text for screen readers.
 * The copy has its LaTeX once.
 */
export function copyWithLatex(event: ClipboardEvent): void {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || selection.rangeCount === 0 || !event.clipboardData) return
  const range = selection.getRangeAt(0).cloneRange()
  const [first, last] = [formulaAround(range.startContainer), formulaAround(range.endContainer)]
  if (first) range.setStartBefore(first)
  if (last) range.setEndAfter(last)
  const part = range.cloneContents()
  if (!part.querySelector('[data-formula=drawn]')) return
  event.clipboardData.setData('text/plain', plainText(part))
  event.clipboardData.setData('text/html', richText(part))
  event.preventDefault()
}

function formulaAround(node: Node): Element | null {
  return (node instanceof Element ? node : node.parentElement)?.closest('[data-formula=drawn]') ?? null
}

function inside(node: Node, as: (child: Node) => string): string {
  return [...node.childNodes].map(as).join('')
}

function latexOf(node: Element): string | undefined {
  if (node.getAttribute('data-formula') !== 'drawn') return undefined
  const tex = node.querySelector('annotation')?.textContent ?? ''
  return node.getAttribute('role') === 'group' ? `\n$$\n${tex}\n$$\n` : `$${tex}$`
}

function tickOf(node: Element): string {
  return (node instanceof HTMLInputElement && node.checked) || node.hasAttribute('checked') ? '☑' : '☐'
}

/** Links of a reply are no anchors: their address is the title. */
function isLink(node: Element): boolean {
  return node.getAttribute('role') === 'button' && node.hasAttribute('title')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
