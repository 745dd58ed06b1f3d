import { t } from '@lingui/core/macro'
import type { Element, Root, Text } from 'hast'
import { toJsxRuntime, type Components, type ExtraProps } from 'hast-util-to-jsx-runtime'
import type { ComponentProps, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { useLanguage } from '../../ui/language/language.ts'
import { showLink } from '../../ui/link-store.ts'
import { webAddress } from '../../ui/web-address.ts'
import { CodeBlock } from './code-block.tsx'
import { NoteReference } from './footnotes.tsx'
import { Formula } from './formula.tsx'
import styles from './markdown.module.css'
import { markedFormula, markMath } from './math-source.ts'
import { refuseDepth } from './nesting.ts'
import { showOrder } from './text-order.tsx'

/** A block of Markdown as elements. Raw HTML comes out as the text that it is. Throws where it is deeper than a page can hold. */
export function parseProse(source: string): ReactNode {
  const tree = processor.runSync(processor.parse(markMath(source)))
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
  .use(remarkGfm)
  .use(remarkRehype, {
    handlers: { html: (_: unknown, { value }: { value: string }): Text => ({ type: 'text', value }) },
  })
  .use([refuseDepth, showOrder, checkAddresses])
  .freeze()

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

const NOTE = '#user-content-fn-'

/** Of an address, what leads to the web; of a footnote, its name. */
function addressOf(
  url: string,
  key: string,
  { properties }: { readonly properties: Readonly<Record<string, unknown>> },
): string {
  if (key === 'href' && properties['dataFootnoteRef'] !== undefined && url.startsWith(NOTE)) return url
  return webAddress(url) ?? ''
}

type Props<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & ExtraProps

/** Not an anchor: nothing but the dialog, which shows the whole address, leads anywhere. */
function Link({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return <span className={styles.noLink}>{children}</span>
  const show = () => showLink(href)
  return (
    <span
      className={styles.link}
      role="button"
      tabIndex={0}
      aria-haspopup="dialog"
      title={href}
      onClick={show}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        show()
      }}
    >
      {children}
    </span>
  )
}

function noteLabel(href: string): string {
  try {
    return decodeURIComponent(href.slice(NOTE.length)).toLowerCase()
  } catch {
    return ''
  }
}

function PictureWords({ alt, host }: { alt: string; host: string }) {
  useLanguage()
  if (alt === '') return host === '' ? t`Image` : t`Image (${host})`
  return host === '' ? t`Image: ${alt}` : t`Image: ${alt} (${host})`
}

function TableFrame({ children }: { children: ReactNode }) {
  useLanguage()
  return (
    <div className={styles.tableFrame} role="region" aria-label={t`Table`} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}

/** Of a list of things to do. */
function Tick({ done }: { done: boolean }) {
  useLanguage()
  return (
    <input
      type="checkbox"
      checked={done}
      disabled
      readOnly
      aria-label={done ? t({ message: 'Done', context: 'task in a list' }) : t`Not done`}
    />
  )
}

const components: Partial<Components> = {
  a: ({ href, children }: Props<'a'>) =>
    href?.startsWith(NOTE) ? <NoteReference label={noteLabel(href)} /> : <Link href={href}>{children}</Link>,
  // The list of notes is the whole text's, and stands at its end.
  section: ({ node, children }: Props<'section'>) =>
    node?.properties['dataFootnotes'] === undefined ? <section>{children}</section> : null,
  code: ({ className, children }: Props<'code'>) => {
    const formula = typeof children === 'string' ? markedFormula(children) : undefined
    return formula ? <Formula {...formula} /> : <code className={className}>{children}</code>
  },
  // A remote picture would tell its host that, and when, the answer was read.
  img: ({ src, alt }: Props<'img'>) => (
    <Link href={typeof src === 'string' ? src : undefined}>
      <span className={styles.chip}>
        <PictureWords alt={alt ?? ''} host={typeof src === 'string' && src !== '' ? new URL(src).host : ''} />
      </span>
    </Link>
  ),
  pre: CodeBlock,
  table: ({ children }: Props<'table'>) => <TableFrame>{children}</TableFrame>,
  // Heading levels inside an answer start below the room's own.
  h1: ({ children }: Props<'h1'>) => <h3 data-level="1">{children}</h3>,
  h2: ({ children }: Props<'h2'>) => <h3 data-level="2">{children}</h3>,
  h3: ({ children }: Props<'h3'>) => <h4 data-level="3">{children}</h4>,
  h4: ({ children }: Props<'h4'>) => <h4 data-level="4">{children}</h4>,
  h5: ({ children }: Props<'h5'>) => <h4 data-level="4">{children}</h4>,
  h6: ({ children }: Props<'h6'>) => <h4 data-level="4">{children}</h4>,
  input: ({ checked }: Props<'input'>) => <Tick done={checked === true} />,
}
