import type { Element, ElementContent } from 'hast'

/** The longest text that is compared. A longer one isn't an address that a person would trust. */
const MAX_TEXT = 2_000

/**
 * Compares the address that a link shows with the one that it leads to, because a text
 * from outside can lead a model to write `[https://good.example](https://evil.example)`.
 *
 * @param link with its final address
 * @returns the host that the link leads to, if its text names another one
 */
export function hiddenHost(link: Element): string | undefined {
  const text = textOf(link).trim()
  if (text.length > MAX_TEXT || !/^(?:https?:\/\/|www\.)\S+$/i.test(text)) return undefined
  const leadsTo = hostOf(link.properties['href'] ?? '')
  const shown = hostOf(/^www\./i.test(text) ? `https://${text}` : text)
  return leadsTo !== undefined && shown !== leadsTo ? leadsTo : undefined
}

function textOf(node: ElementContent): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('') : ''
}

/** `www.` names the same site. */
function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host.replace(/^www\./, '')
}
