import type { Element, Root } from 'hast'

/** Lists and quotations inside each other: a page is laid out by recursion, and its stack is not ours to risk. */
const MAX_CONTAINERS = 40
const INDENT_OF_ONE = 2
const MAX_ELEMENTS_DEEP = 100

const LEADING = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/

/** Whether a line stands inside more containers than an answer has reason to; judged before anything parses it. */
export function isNestedDeep(source: string): boolean {
  return source.split('\n').some((line) => {
    const [leading = ''] = LEADING.exec(line) ?? []
    if (leading.length <= MAX_CONTAINERS) return false
    const markers = leading.replaceAll(/[ \t]/g, '').length
    const columns = leading.replaceAll('\t', '    ').length - markers
    return markers > MAX_CONTAINERS || columns > MAX_CONTAINERS * INDENT_OF_ONE * 2
  })
}

/** Signs of emphasis without a word between them, and brackets that open and open: what takes a parser the longest. */
const TANGLE = /[*_~]{40}|(?:\[|!\[){30}/
const MAX_BRACKETS = 600

/** Whether a block is no writing, but work for the parser. */
export function isTangled(source: string): boolean {
  if (TANGLE.test(source)) return true
  let brackets = 0
  for (let at = source.indexOf('['); at !== -1; at = source.indexOf('[', at + 1)) brackets++
  return brackets > MAX_BRACKETS
}

/** Throws where a tree is deeper than is laid out. */
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
