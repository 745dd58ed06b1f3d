import type { Element, ElementContent, Root } from 'hast'
import type { ReactNode } from 'react'
import styles from './markdown.module.css'

/** Characters that change the order of letters: in prose overrides and embeddings, in code also isolates. */
const IN_PROSE = /[\u202A-\u202E]/
const IN_CODE = /[\u202A-\u202E\u2066-\u2069]/
const EACH = /([\u202A-\u202E\u2066-\u2069])/

export function turnsOrder(text: string): boolean {
  return IN_CODE.test(text)
}

/**
 * Whether a text has a word of 1,000 or more characters, which is laid out without kerning (../../ui/style/base.css).
 */
export function hasLongWord(text: string): boolean {
  return /\S{1000}/.test(text)
}

const nameOf = (control: string) => `U+${control.charCodeAt(0).toString(16).toUpperCase()}`

/** Shows order characters by name and without effect. A copy of the text still has them. */
export function withOrderShown(text: string): ReactNode {
  if (!IN_CODE.test(text)) return text
  return text.split(EACH).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <OrderSign key={index} name={nameOf(part)}>
        {part}
      </OrderSign>
    ),
  )
}

function OrderSign({ name, children }: { name: string; children: string }) {
  return (
    <bdi className={styles.orderSign} data-name={name}>
      {children}
    </bdi>
  )
}

/** Applies `withOrderShown` to the texts of colored code. */
export function codeWithOrderShown(nodes: readonly ElementContent[]): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return signs(node.value, true)
    return node.type === 'element' ? [{ ...node, children: codeWithOrderShown(node.children) }] : []
  })
}

/** Shows the order characters in the texts of a tree. */
export function showOrder() {
  return (tree: Root) => {
    const nodes: { node: Root | Element; code: boolean }[] = [{ node: tree, code: false }]
    for (let next = nodes.pop(); next; next = nodes.pop()) {
      const { node, code } = next
      const children: Root['children'] = []
      for (const child of node.children) {
        if (child.type === 'element') nodes.push({ node: child, code: code || child.tagName === 'code' })
        if (child.type === 'text' && (code ? IN_CODE : IN_PROSE).test(child.value))
          children.push(...signs(child.value, code))
        else children.push(child)
      }
      // Both node types allow the same children, except that comments occur only in the root.
      node.children = children.filter((child) => child.type !== 'comment' && child.type !== 'doctype')
    }
  }
}

function signs(text: string, code: boolean): ElementContent[] {
  return text.split(code ? EACH : /([\u202A-\u202E])/).map((part, index) => {
    if (index % 2 === 0) return { type: 'text', value: part }
    return {
      type: 'element',
      tagName: 'bdi',
      properties: { className: [styles.orderSign ?? ''], dataName: nameOf(part) },
      children: [{ type: 'text', value: part }],
    }
  })
}
