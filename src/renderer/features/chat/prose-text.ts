import type {
  Blockquote,
  Break,
  Html,
  Link,
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
  / ?【\d{1,3}(?::\d{1,3})?†[^【】\n]{0,200}】/g,
  / ?\uE200[^\uE200\uE201\n]{0,500}\uE201/g,
  / ?\b(?:file)?cite(?:turn\d{1,3}[a-z]{1,12}\d{1,3}){1,20}/g,
  /<\|(?:im_(?:start|end)|endoftext|end_of_text|begin_of_text|eo[tm]_id|end|(?:start|end)_header_id)\|>/g,
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
  return node.type === 'link' && node.position === undefined ? addressIn(node) : [node]
}

/** A Python name such as `__init__`: strong emphasis isn't written with underscores around one lower-case word. */
function nameOf({ position, children: [only, more] }: Strong, source: string): Text | undefined {
  if (only?.type !== 'text' || more || !/^[a-z][a-z0-9_]*$/.test(only.value)) return undefined
  const from = position?.start.offset
  return from !== undefined && source.startsWith(`__${only.value}__`, from)
    ? { type: 'text', value: `__${only.value}__` }
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

/** GitHub's callouts: a quotation whose first line is `[!NOTE]`. */
function markCallout(quote: Blockquote): void {
  const [paragraph] = quote.children
  const [first] = paragraph?.type === 'paragraph' ? paragraph.children : []
  if (first?.type !== 'text') return
  const [line, name = ''] = /^\[!([a-z]{1,20})\][ \t]*(?:\n|$)/i.exec(first.value) ?? []
  const callout = callouts.find((known) => known === name.toLowerCase())
  if (line === undefined || callout === undefined || paragraph?.type !== 'paragraph') return
  first.value = first.value.slice(line.length)
  if (first.value === '' && paragraph.children.length === 1) quote.children.shift()
  quote.data = { ...quote.data, hProperties: { dataCallout: callout } }
}
