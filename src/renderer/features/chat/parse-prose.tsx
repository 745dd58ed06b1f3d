import type { Comment, Element, Root } from 'hast'
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified, type Processor } from 'unified'
import { webAddress } from '../../ui/web-address.ts'
import { readHtml } from './html-tags.ts'
import { isDataImage } from './data-image.ts'
import { inlineSyntax } from './inline-syntax.ts'
import { markSource } from './mark-source.ts'
import { refuseDepth } from './nesting.ts'
import { components, NOTE } from './prose-elements.tsx'
import { readProse } from './prose-text.ts'
import { showOrder } from './text-order.tsx'

/** A block of Markdown as elements. Throws if it is deeper than a page can hold. */
export function parseProse(source: string): ReactNode {
  const marked = markSource(source)
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

/** Made once: to make one takes as long as to read a paragraph. */
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(useInlineSyntax)
  .use(readProse)
  .use(remarkRehype, {
    handlers: {
      // Nothing draws comments: what `readHtml` doesn't know can't become more than text.
      html: (_: unknown, { value }: { value: string }): Comment => ({ type: 'comment', value }),
    },
  })
  .use([readHtml, refuseDepth, showOrder, checkAddresses])
  .freeze()

function useInlineSyntax(this: Processor) {
  const data = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), inlineSyntax()]
}

/** Leaves of every address what is let through. */
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
      }
    }
  }
}

/** Of an address, what leads to the web or is a picture; of a footnote, its name. */
function addressOf(url: string, key: string, { properties }: Element): string {
  if (key === 'href' && properties['dataFootnoteRef'] !== undefined && url.startsWith(NOTE)) return url
  if (key === 'href' && url.startsWith('sandbox:')) properties['dataSandbox'] = true
  if (key === 'src' && isDataImage(url)) return url
  return webAddress(url) ?? ''
}
