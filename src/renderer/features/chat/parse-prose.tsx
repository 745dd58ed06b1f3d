import type { Comment, Element, Root } from 'hast'
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified, type Processor } from 'unified'
import { webAddress } from '../../ui/web-address.ts'
import { PASSAGE } from './citation-marks.ts'
import { markdownOfHtml } from '../../../shared/markup/html-to-markdown.ts'
import { blockOfHtml, htmlTagOf } from './html-block.ts'
import { markdownOfTable } from './html-table.ts'
import { readHtml } from './html-tags.ts'
import { isDataImage } from './data-image.ts'
import { inlineSyntax } from './inline-syntax.ts'
import { hiddenHost } from './link-host.ts'
import { markSource } from './mark-source.ts'
import { refuseDepth } from './nesting.ts'
import { components, NOTE } from './prose-elements.tsx'
import { readProse } from './prose-text.ts'
import { showOrder } from './text-order.tsx'

/** A block of Markdown as elements. Throws if it is deeper than a page can hold. */
export function parseProse(source: string): ReactNode {
  const marked = markSource(withoutHtmlBlock(source))
  const tree = processor.runSync(processor.parse(marked), marked)
  return toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    components,
    ignoreInvalidStyle: true,
    passKeys: true,
    passNode: true,
  })
}

/** A block that begins with a table, a list or code in HTML, as Markdown. What follows in the block is Markdown already. */
function withoutHtmlBlock(source: string): string {
  const tag = htmlTagOf(source)
  if (tag === undefined) return source
  if (tag === 'table') return markdownOfTable(source) ?? source
  const html = blockOfHtml(source, 'growing') ?? ''
  const markdown = markdownOfHtml(html)
  return markdown === '' ? source : `${markdown}\n\n${source.slice(html.length)}`.trim()
}

/** Created once, because creating it takes as long as parsing a paragraph. */
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(useInlineSyntax)
  .use(readProse)
  .use(remarkRehype, {
    handlers: {
      // Comments are never rendered, so HTML that `readHtml` doesn't know can only become text.
      html: (_: unknown, { value }: { value: string }): Comment => ({ type: 'comment', value }),
    },
  })
  .use([readHtml, refuseDepth, showOrder, checkAddresses])
  .freeze()

function useInlineSyntax(this: Processor) {
  const data = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), inlineSyntax()]
}

/** Reduces every address to an allowed one, and shows the host of a link that names another. */
function checkAddresses() {
  return (tree: Root) => {
    const nodes: (Root | Element)[] = [tree]
    for (let node = nodes.pop(); node; node = nodes.pop()) {
      for (const child of node.children) {
        if (child.type !== 'element') continue
        nodes.push(child)
        for (const key of ['href', 'src'])
          if (key in child.properties)
            child.properties[key] = addressOf(String(child.properties[key] ?? ''), key, child)
        const host = child.tagName === 'a' ? hiddenHost(child) : undefined
        if (host !== undefined) child.children.push({ type: 'text', value: ` (${host})` })
      }
    }
  }
}

/** The address if it leads to the web, is an embedded picture, or names a footnote or a passage; otherwise an empty string. */
function addressOf(url: string, key: string, { properties }: Element): string {
  if (key === 'href' && properties['dataFootnoteRef'] !== undefined && url.startsWith(NOTE)) return url
  if (key === 'href' && url.startsWith(PASSAGE)) return /^#passage-\d{1,2}$/.test(url) ? url : ''
  if (key === 'href' && url.startsWith('sandbox:')) properties['dataSandbox'] = true
  if (key === 'src' && isDataImage(url)) return url
  return webAddress(url) ?? ''
}
