import type { ElementContent } from 'hast'
import { Fragment, memo, type ReactNode } from 'react'
import styles from './code-block.module.css'
import { withOrderShown } from './text-order.tsx'

/** Colored code, unchanged. */
export function CodeNodes({ nodes }: { nodes: readonly ElementContent[] }) {
  return nodes.map(shown)
}

/** Colored code by line. Each line includes its newline, so that copying gives the original text. */
export function CodeLines({ nodes }: { nodes: readonly ElementContent[] }) {
  const lines = linesOf(nodes)
  if (lines.at(-1)?.length === 0) lines.pop()
  return lines.map((line, index) => (
    <span key={index} className={styles.line}>
      {line.map(shown)}
    </span>
  ))
}

/** Plain code by line, each with its newline. */
export const TextLines = memo(function TextLines({ text }: { text: string }) {
  return text.split(/(?<=\n)/).map((line, index) => (
    <span key={index} className={styles.line}>
      {withOrderShown(line)}
    </span>
  ))
})

/** Cuts nodes at line ends: a comment over three lines becomes three nodes. */
function linesOf(nodes: readonly ElementContent[]): ElementContent[][] {
  const lines: ElementContent[][] = [[]]
  for (const node of nodes) {
    const parts = partsOf(node)
    for (const [index, part] of parts.entries()) {
      if (index > 0) lines.push([])
      if (part) lines.at(-1)?.push(part)
    }
  }
  return lines
}

/** One part for each line that the node reaches; undefined for a line to which it adds no text. */
function partsOf(node: ElementContent): (ElementContent | undefined)[] {
  if (node.type === 'text')
    return node.value
      .split(/(?<=\n)/)
      .concat(node.value.endsWith('\n') ? [''] : [])
      .map((value) => (value === '' ? undefined : { type: 'text', value }))
  if (node.type !== 'element') return []
  return linesOf(node.children).map((children) => (children.length === 0 ? undefined : { ...node, children }))
}

function shown(node: ElementContent, index: number): ReactNode {
  if (node.type === 'text') return <Fragment key={index}>{node.value}</Fragment>
  if (node.type !== 'element') return null
  const names = node.properties['className']
  const name = Array.isArray(names) ? names.join(' ') : undefined
  const sign = node.properties['dataName']
  if (node.tagName === 'bdi')
    return (
      <bdi key={index} className={name} data-name={typeof sign === 'string' ? sign : undefined}>
        {node.children.map(shown)}
      </bdi>
    )
  return (
    <span key={index} className={name}>
      {node.children.map(shown)}
    </span>
  )
}
