import type { Comment, Element, ElementContent, Root, Text } from 'hast'
import { turnsOrder } from './text-order.tsx'

/**
 * Tags that become an element, by the element that they become. Nothing of their attributes is read, and a tag that hides
 * signs of text order in them is shown. A heading here is within a paragraph.
 */
const ELEMENTS: Readonly<Record<string, string>> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  u: 'ins',
  ins: 'ins',
  s: 'del',
  strike: 'del',
  del: 'del',
  sub: 'sub',
  sup: 'sup',
  kbd: 'kbd',
  mark: 'mark',
  small: 'small',
  code: 'code',
  samp: 'code',
  var: 'em',
  dfn: 'em',
  q: 'q',
  dt: 'strong',
  tool_call: 'code',
  summary: 'strong',
  h1: 'strong',
  h2: 'strong',
  h3: 'strong',
  h4: 'strong',
  h5: 'strong',
  h6: 'strong',
}
/** Lists are written in the cells of tables, which have no lines. */
const IN_CELLS = new Set(['ul', 'ol', 'li'])
/** Layout tags, and tags that models put around a reply. Their content is shown as text. */
const DROPPED = new Set([
  'details',
  'div',
  'span',
  'p',
  'center',
  'blockquote',
  'font',
  'answer',
  'final_answer',
  'output',
  'response',
  // A table that isn't a block of its own becomes rows of text.
  'table',
  'thead',
  'tbody',
  'tfoot',
  'caption',
  'tr',
  'th',
  'td',
  // So does a list.
  'ul',
  'ol',
  'li',
  'dl',
  'dd',
  'figure',
  'figcaption',
  'abbr',
  'cite',
  'time',
  'section',
  'article',
  'header',
  'footer',
  'main',
])
/** Elements that end a line of text. */
const LINES = new Set(['tr', 'li', 'dt', 'dd', 'figure', 'figcaption'])
const CELLS = new Set(['th', 'td'])

/** A tag around blocks of Markdown, on a line of its own. A bare opening tag may be what a reply is about. */
const FRAME = /^<(?:\/(?:div|p|center|section)|(?:div|p|section) (?:align|class|style)=[^<]*|center)>$/i

const TAG = /^<(\/?)([a-z][a-z0-9_]{0,20})(?:\s[^<]*)?\/?>$/i

/**
 * Sets the direction of blocks, and reads the HTML of a text, which arrives here as comments. A few tags become
 * elements, comments are removed, and everything else becomes plain text.
 */
export function readHtml() {
  return (tree: Root): void => {
    const nodes: (Root | Element)[] = [tree]
    for (let node = nodes.pop(); node; node = nodes.pop()) {
      if (node.type === 'element' && DIRECTED.has(node.tagName)) node.properties['dir'] = 'auto'
      if (node.type === 'element' && node.tagName === 'table')
        node.children = node.children.filter((child) => !isEmptyHead(child))
      if (node.type === 'element' && node.children.some(isHtml)) {
        const inCell = node.tagName === 'td' || node.tagName === 'th'
        node.children = trimmed(withElements(node.children, inCell))
      }
      for (const child of node.children) if (child.type === 'element') nodes.push(child)
    }
    tree.children = tree.children.filter((child) => !isEmptied(child))
  }
}

/** Each has the direction of its first letter, because a reply may mix languages. */
const DIRECTED = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'table',
  'th',
  'td',
])

/** Markdown requires names of columns. A table may have none. */
function isEmptyHead(node: ElementContent): boolean {
  return node.type === 'element' && node.tagName === 'thead' && !hasContent(node)
}

function hasContent(node: Element): boolean {
  return node.children.some((child) =>
    child.type === 'element'
      ? child.tagName === 'img' || hasContent(child)
      : child.type === 'comment' || (child.type === 'text' && child.value.trim() !== ''),
  )
}

/** A paragraph of nothing but a comment. */
function isEmptied(node: Root['children'][number]): boolean {
  return node.type === 'element' && node.tagName === 'p' && node.children.length === 0
}

const isHtml = (node: ElementContent): node is Comment => node.type === 'comment'

interface Open {
  readonly tag: string
  readonly source: string
  readonly children: ElementContent[]
}

function withElements(nodes: readonly ElementContent[], inCell: boolean): ElementContent[] {
  const stack: Open[] = [{ tag: '', source: '', children: [] }]
  const isFrame = nodes.every((node) => isGap(node) || (isHtml(node) && FRAME.test(node.value)))
  if (isFrame) return []
  const add = (...children: readonly ElementContent[]) => stack.at(-1)?.children.push(...children)
  /** A tag that nothing closes is text. */
  const giveBack = () => {
    const open = stack.pop()
    if (open) add(textOf(open.source), ...open.children)
  }
  for (const node of nodes) {
    if (!isHtml(node)) {
      add(node)
      continue
    }
    const [, closing, name = ''] = TAG.exec(node.value) ?? []
    const tag = name.toLowerCase()
    if (/^<!--[^]*-->$/.test(node.value)) continue
    if (tag === 'br' || tag === 'hr') add({ type: 'element', tagName: 'br', properties: {}, children: [] })
    else if (tag === 'img' && closing === '' && !turnsOrder(node.value)) add(pictureOf(node.value))
    else if (!isKnown(tag, closing, node.value) || turnsOrder(node.value)) add(textOf(node.value))
    else if (closing === '') {
      if (tag === 'li' && !inCell) add(textOf('• '))
      if (CELLS.has(tag) && isAfterCell(stack.at(-1)?.children ?? [])) add(textOf(' | '))
      stack.push({ tag, source: node.value, children: [] })
    } else if (stack.some((open) => open.tag === tag)) {
      while (stack.at(-1)?.tag !== tag) giveBack()
      const { source = '', children: inside = [] } = stack.pop() ?? {}
      const children = tag === 'a' ? inside.flatMap(withoutLink) : inside
      const isList = inCell && IN_CELLS.has(tag)
      const tagName = isList || tag === 'a' ? tag : ELEMENTS[tag]
      const properties = tag === 'a' ? { href: hrefOf(source) } : {}
      add(
        ...(tagName === undefined ? children : [{ type: 'element' as const, tagName, properties, children }]),
      )
      if (!isList && LINES.has(tag)) add({ type: 'element', tagName: 'br', properties: {}, children: [] })
    } else add(textOf(node.value))
  }
  while (stack.length > 1) giveBack()
  return stack[0]?.children ?? []
}

function isKnown(tag: string, closing: string | undefined, source: string): boolean {
  if (tag === 'a') return closing === '/' || hrefOf(source) !== undefined
  return Object.hasOwn(ELEMENTS, tag) || DROPPED.has(tag)
}

/** A link has no link in it: an address in its text is only text. */
function withoutLink(node: ElementContent): ElementContent[] {
  return node.type === 'element' && node.tagName === 'a' ? node.children : [node]
}

/** Whether the text of a cell comes before, in the same row. */
function isAfterCell(children: readonly ElementContent[]): boolean {
  const last = children.findLast((child) => !(child.type === 'text' && child.value.trim() === ''))
  return last !== undefined && !(last.type === 'element' && last.tagName === 'br')
}

/** A picture under the rules of a picture in Markdown: its address is checked later, and nothing remote loads. */
function pictureOf(source: string): Element {
  const properties = { src: attributeOf(source, 'src'), alt: attributeOf(source, 'alt') }
  return { type: 'element', tagName: 'img', properties, children: [] }
}

const REFERENCES: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' }

function attributeOf(source: string, name: 'src' | 'alt'): string {
  const pattern = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
  const { 1: double, 2: single, 3: bare } = pattern.exec(source) ?? ['']
  const value = double ?? single ?? bare ?? ''
  return value.replaceAll(
    /&(amp|quot|#39|lt|gt);/g,
    (whole, reference: string) => REFERENCES[reference] ?? whole,
  )
}

/** The only attribute of a link that is read. Like the address of every link, it is checked later. */
function hrefOf(source: string): string | undefined {
  return /\shref=(["'])(https?:\/\/[^"'\s<>]{1,2000})\1/i.exec(source)?.[2]
}

function textOf(value: string): Text {
  return { type: 'text', value }
}

/** Tags on lines of their own leave empty lines at both ends. */
function trimmed(nodes: readonly ElementContent[]): ElementContent[] {
  const from = nodes.findIndex((node) => !isGap(node))
  return from === -1 ? [] : nodes.slice(from, nodes.findLastIndex((node) => !isGap(node)) + 1)
}

function isGap(node: ElementContent): boolean {
  return node.type === 'text' ? node.value.trim() === '' : node.type === 'element' && node.tagName === 'br'
}
