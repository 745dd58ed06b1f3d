import { createElement, Fragment, type ReactNode } from 'react'

/** Elements that a formula may have. Any other element is left out, and its content stays. */
const HTML = ['span', 'svg', 'path', 'line']
const MATHML = [
  'math',
  'semantics',
  'annotation',
  'mrow',
  'mi',
  'mn',
  'mo',
  'ms',
  'mtext',
  'mspace',
  'mstyle',
  'mpadded',
  'mphantom',
  'menclose',
  'mfrac',
  'msqrt',
  'mroot',
  'msub',
  'msup',
  'msubsup',
  'munder',
  'mover',
  'munderover',
  'mtable',
  'mtr',
  'mtd',
  'mlabeledtr',
]
const ELEMENTS = new Set([...HTML, ...MATHML])

const ATTRIBUTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'xmlns',
      'width',
      'height',
      'viewBox',
      'preserveAspectRatio',
      'd',
      'x1',
      'y1',
      'x2',
      'y2',
      'display',
      'encoding',
      'mathvariant',
      'stretchy',
      'fence',
      'separator',
      'symmetric',
      'accent',
      'accentunder',
      'lspace',
      'rspace',
      'minsize',
      'maxsize',
      'linethickness',
      'columnalign',
      'columnspacing',
      'columnlines',
      'rowspacing',
      'rowlines',
      'notation',
      'scriptlevel',
      'displaystyle',
      'depth',
      'voffset',
      'movablelimits',
      'largeop',
    ].map((name) => [name, name]),
  ),
  class: 'className',
  'aria-hidden': 'aria-hidden',
  'stroke-width': 'strokeWidth',
}

/** Lengths and lines. Colors aren't allowed, because in this window they show who can read a message. */
const STYLES =
  /^(?:height|width|min-width|top|left|bottom|vertical-align|position|(?:margin|padding|border)-(?:left|right|top|bottom)(?:-width|-style)?|border-width|border-style)$/
const VALUE =
  /^(?:(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:em|ex|pt|px|mu|%)?|solid|dashed|none|middle|baseline|relative)(?: |$))+$/

/** KaTeX limits growing lengths, but not negative ones. */
const MAX_EM = 200
const TOO_LONG = new RegExp(`(?:^|[:;" -])(?:${String(MAX_EM)}|[2-9]\\d\\d|\\d{4,})(?:\\.\\d+)?em`)

const MAX_ELEMENTS = 12_000
const MAX_DEPTH = 150

// KaTeX writes `class ="mtr-glue"`, with a space.
const TAG = /<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z0-9:-]+ ?="[^"]*")*)\s*(\/?)>|([^<]+)/y
// eslint-disable-next-line regexp/no-super-linear-move -- of the attributes of one tag, which are whole
const ATTRIBUTE = /([a-zA-Z0-9:-]+) ?="([^"]*)"/g

interface Open {
  readonly tag: string
  readonly properties: Record<string, unknown>
  readonly children: ReactNode[]
}

/**
 * KaTeX's markup as elements. Rendered as text, it would need style attributes from markup, which this page's policy
 * blocks. Undefined if the text isn't such markup, or if the page couldn't lay it out quickly.
 */
export function formulaTree(markup: string): ReactNode | undefined {
  const root: Open = { tag: '', properties: {}, children: [] }
  const stack = [root]
  let elements = 0
  TAG.lastIndex = 0
  while (TAG.lastIndex < markup.length) {
    const token = TAG.exec(markup)
    const parent = stack.at(-1)
    if (!token || !parent) return undefined
    const [, closing, tag = '', attributes = '', empty, text] = token
    if (text !== undefined) parent.children.push(unescaped(text))
    else if (closing === '/') {
      const done = stack.pop()
      const around = stack.at(-1)
      if (!done || !around || done.tag !== tag) return undefined
      around.children.push(element(done))
    } else {
      const properties = propertiesOf(attributes)
      if (!properties) return undefined
      const open = { tag, properties, children: [] }
      if (++elements > MAX_ELEMENTS || stack.length > MAX_DEPTH) return undefined
      if (empty === '/') parent.children.push(element(open))
      else stack.push(open)
    }
  }
  return stack.length === 1 ? createElement(Fragment, null, ...root.children) : undefined
}

function element({ tag, properties, children }: Open): ReactNode {
  return ELEMENTS.has(tag)
    ? createElement(tag, properties, ...children)
    : createElement(Fragment, null, ...children)
}

/** Undefined if a length is too large for a formula. */
function propertiesOf(attributes: string): Record<string, unknown> | undefined {
  const properties: Record<string, unknown> = {}
  for (const [, name = '', value = ''] of attributes.matchAll(ATTRIBUTE)) {
    if (name === 'style' && TOO_LONG.test(value)) return undefined
    const property = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined
    if (name === 'style') properties['style'] = styleOf(unescaped(value))
    else if (property !== undefined) properties[property] = unescaped(value)
  }
  return properties
}

function styleOf(css: string): Record<string, string> {
  const style: Record<string, string> = {}
  for (const declaration of css.split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, colon).trim()
    const value = declaration.slice(colon + 1).trim()
    if (colon > 0 && STYLES.test(name) && VALUE.test(value))
      style[name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())] = value
  }
  return style
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
  nbsp: '\u00A0',
}

function unescaped(text: string): string {
  return text.replaceAll(/&([a-z0-9#]+);/g, (whole, name: string) =>
    Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole,
  )
}
