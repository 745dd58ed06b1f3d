import type { Element, Root } from 'hast'

/** Most nested lists and quotes. A page is laid out recursively, and a reply must not overflow that stack. */
const MAX_CONTAINERS = 40
const INDENT_OF_ONE = 2
const MAX_ELEMENTS_DEEP = 100

const LEADING = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/

/** Whether a line has more containers than a reply needs. It is checked before anything parses the text. */
export function isNestedDeep(source: string): boolean {
  return source.split('\n').some((line) => {
    const [leading = ''] = LEADING.exec(line) ?? []
    if (leading.length <= MAX_CONTAINERS) return false
    const markers = leading.replaceAll(/[ \t]/g, '').length
    const columns = leading.replaceAll('\t', '    ').length - markers
    return markers > MAX_CONTAINERS || columns > MAX_CONTAINERS * INDENT_OF_ONE * 2
  })
}

/** Signs of emphasis without a word between them, and series of opening brackets: the slowest input for a parser. */
const TANGLE = /[*_~]{40}|(?:\[|!\[){30}/
const MAX_BRACKETS = 600

/** Whether a block isn't prose but would only keep the parser busy. */
export function isTangled(source: string): boolean {
  if (TANGLE.test(source)) return true
  let brackets = 0
  for (let at = source.indexOf('['); at !== -1; at = source.indexOf('[', at + 1)) brackets++
  return brackets > MAX_BRACKETS
}

/** Throws a RangeError if the tree is deeper than the page can lay out. */
export function refuseDepth() {
  return (tree: Root) => {
    const open: { node: Root | Element; depth: number }[] = [{ node: tree, depth: 0 }]
    for (let next = open.pop(); next; next = open.pop()) {
      const { node, depth } = next
      if (depth > MAX_ELEMENTS_DEEP) throw new RangeError('Too many elements inside each other.')
      for (const child of node.children)
        if (child.type === 'element') open.push({ node: child, depth: depth + 1 })
    }
  }
}
