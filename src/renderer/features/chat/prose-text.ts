import type {
  Blockquote,
  Break,
  Html,
  Link,
  List,
  Nodes,
  Parents,
  PhrasingContent,
  Root,
  Strong,
  Text,
} from 'mdast'
import { addressLength } from './literal-address.ts'

/** Marks that providers' tools leave for their sources, and models at the ends of their turns. */
const PROVIDER_MARKS = [
  / ?\[\^\d{1,3}\^\]/g,
  /(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/g,
  / ?【\d{1,3}(?::\d{1,3})?†[^【】\n]{0,200}】/g,
  / ?\uE200[^\uE200\uE201\n]{0,500}\uE201/g,
  / ?\b(?:file)?cite(?:turn\d{1,3}[a-z]{1,12}\d{1,3}){1,20}/g,
  /<\|(?:im_(?:start|end)|endoftext|end_of_text|begin_of_text|eo[tm]_id|end|return|call|(?:start|end)_header_id)\|>/g,
  /<｜[a-z]{1,20}(?:▁[a-z]{1,20}){0,4}｜>/g,
]

/** The text as its writer meant it: line breaks stay, callouts are marked, and leftovers of a provider's tools go. */
export function readProse() {
  return (tree: Root, file: { readonly value: unknown }): void => {
    const source = String(file.value)
    const nodes: Nodes[] = [tree]
    for (let node = nodes.pop(); node; node = nodes.pop()) {
      if (!('children' in node)) continue
      if (node.type === 'blockquote') markCallout(node)
      if (node.type === 'list') keepNumbers(node, source)
      readChildren(node, source)
      nodes.push(...node.children)
    }
  }
}

/** Only phrasing content holds texts and links; the lists of other parents stay the same. */
function readChildren(parent: Parents, source: string): void {
  switch (parent.type) {
    case 'paragraph':
    case 'heading':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'link':
    case 'linkReference':
    case 'tableCell': {
      const { children } = parent
      parent.children = children.flatMap((child, index) => readPhrase(child, children[index - 1], source))
      return
    }
    default:
  }
}

function readPhrase(
  node: PhrasingContent,
  before: PhrasingContent | undefined,
  source: string,
): PhrasingContent[] {
  if (node.type === 'text') return linesOf(node, before)
  if (node.type === 'strong') return [nameOf(node, source) ?? node]
  if (node.type !== 'link') return [node]
  return node.position === undefined ? addressIn(node) : [typeOf(node, source) ?? node]
}

/** A Python name such as `__init__`: strong emphasis isn't written with underscores around one lower-case word. */
function nameOf({ position, children: [only, more] }: Strong, source: string): Text | undefined {
  if (only?.type !== 'text' || more || !/^[a-z][a-z0-9_]*$/.test(only.value)) return undefined
  const from = position?.start.offset
  return from !== undefined && source.startsWith(`__${only.value}__`, from)
    ? { type: 'text', value: `__${only.value}__` }
    : undefined
}

/** In `vector<std::string>`, what Markdown takes for an address between signs is the name of a type. */
function typeOf({ position, url }: Link, source: string): Text | undefined {
  const written = source.slice(position?.start.offset, position?.end.offset)
  return written.startsWith('<') && !/^(?:https?|mailto):/i.test(url)
    ? { type: 'text', value: written }
    : undefined
}

/** A link that was found in text, rather than written as a link, ends as an address in text does. */
function addressIn(link: Link): PhrasingContent[] {
  const [text] = link.children
  if (text?.type !== 'text' || /^(?:mailto|xmpp):/.test(link.url)) return [link]
  const length = addressLength(text.value)
  if (length === text.value.length) return [link]
  if (length === 0) return [text]
  const url = link.url.slice(0, link.url.length - text.value.length + length)
  return [
    { ...link, url, children: [{ type: 'text', value: text.value.slice(0, length) }] },
    { type: 'text', value: text.value.slice(length) },
  ]
}

function linesOf({ value }: Text, before: PhrasingContent | undefined): (Text | Break)[] {
  const text = PROVIDER_MARKS.reduce((rest, mark) => rest.replaceAll(mark, ''), value)
  // A line break after a `<br>` tag is the same line break.
  const lines = (isBreakTag(before) ? text.replace(/^[ \t]*\n/, '') : text)
    .split('\n')
    .map((line, index, { length }) => {
      const from = index === 0 ? line : line.trimStart()
      return index === length - 1 ? from : from.trimEnd()
    })
  return lines.flatMap((line, index): (Text | Break)[] => [
    ...(index === 0 ? [] : [{ type: 'break' } satisfies Break]),
    ...(line === '' ? [] : [{ type: 'text', value: line } satisfies Text]),
  ])
}

function isBreakTag(node: PhrasingContent | undefined): node is Html {
  return node?.type === 'html' && /^<br\s*\/?>$/i.test(node.value)
}

export const callouts = ['note', 'tip', 'important', 'warning', 'caution'] as const
export type Callout = (typeof callouts)[number]

/** Names of other programs for them. */
const CALLOUT_NAMES: Readonly<Record<string, Callout>> = {
  ...Object.fromEntries(callouts.map((name) => [name, name])),
  abstract: 'note',
  example: 'note',
  info: 'note',
  question: 'note',
  summary: 'note',
  todo: 'note',
  check: 'tip',
  done: 'tip',
  hint: 'tip',
  success: 'tip',
  attention: 'warning',
  bug: 'caution',
  danger: 'caution',
  error: 'caution',
  failure: 'caution',
}

/** A quotation whose first line is `[!NOTE]`, as on GitHub. A title may follow, and a sign that folds it, as in Obsidian. */
function markCallout(quote: Blockquote): void {
  const [paragraph] = quote.children
  if (paragraph?.type !== 'paragraph') return
  const [first] = paragraph.children
  if (first?.type !== 'text') return
  const [mark, name = ''] = /^\[!([a-z]{1,20})\][+-]?(?:[ \t]*(?:\n|$)|[ \t]+)/i.exec(first.value) ?? []
  const callout = CALLOUT_NAMES[name.toLowerCase()]
  if (mark === undefined || callout === undefined) return
  first.value = first.value.slice(mark.length)
  if (first.value === '' && paragraph.children.length === 1) quote.children.shift()
  quote.data = { ...quote.data, hProperties: { dataCallout: callout } }
}

/**
 * The numbers of a list as its writer wrote them, such as 10, 9, 8. Without it, a list counts up from its first number.
 * If all numbers are the same, the writer leaves the counting to the list.
 */
function keepNumbers({ children, ordered, start }: List, source: string): void {
  if (ordered !== true) return
  const numbers = children.map(({ position }) =>
    Number(/^\d{1,9}/.exec(source.slice(position?.start.offset, (position?.start.offset ?? 0) + 9))?.[0]),
  )
  if (numbers.some(Number.isNaN) || numbers.every((number) => number === numbers[0])) return
  for (const [index, item] of children.entries())
    if (numbers[index] !== (start ?? 1) + index)
      item.data = { ...item.data, hProperties: { value: String(numbers[index]) } }
}
