import { dirname, join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'

/** A link of a document to another file, or to one of its own headings. */
export interface DocumentLink {
  /** Path of the file from the root, with `/`. */
  readonly file: string
  /** The heading, or an empty text. */
  readonly anchor: string
}

function tokensOf(text: string): Token[] {
  const found: Token[] = []
  void marked.walkTokens(marked.lexer(text), (token) => void found.push(token))
  return found
}

const isLink = (token: Token): token is Tokens.Link | Tokens.Image =>
  token.type === 'link' || token.type === 'image'
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** The links and images of a document that don't leave the repository. @param file its path from the root */
export function readLinks(file: string, text: string): DocumentLink[] {
  return tokensOf(text).flatMap((token) => {
    const urls = isLink(token) ? [token.href] : token.type === 'html' ? sourcesOf(token.raw) : []
    return urls
      .filter((url) => !/^[a-z]+:/.test(url))
      .map((url) => {
        const [path = '', anchor = ''] = url.split('#')
        const target = path === '' ? file : join(dirname(file), decodeURI(path)).replaceAll('\\', '/')
        return { file: target, anchor }
      })
  })
}

/** A picture for light and dark is written as HTML. */
function sourcesOf(html: string): string[] {
  return [...html.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)].map(([, url = '']) => url)
}

/** The anchors of a document's headings, as GitHub forms them. */
export function readAnchors(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const heading of tokensOf(text).filter(isHeading)) {
    const base = heading.text
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let anchor = base
    for (let count = 1; anchors.has(anchor); count++) anchor = `${base}-${String(count)}`
    anchors.add(anchor)
  }
  return anchors
}
