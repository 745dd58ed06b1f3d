import { memo, useSyncExternalStore, type ComponentProps, type ReactNode } from 'react'
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { showLink } from '../../ui/link-store.ts'
import { webAddress } from '../../ui/web-address.ts'
import { splitBlocks, type GrowingBlocks } from './blocks.ts'
import { CodeBlock, CodeFrame } from './code-block.tsx'
import { highlighter, onHighlighter } from './highlight.ts'
import styles from './markdown.module.css'

/** A finished text in blocks. */
export function finished(text: string): GrowingBlocks {
  return { settled: splitBlocks(text), tail: '', code: undefined }
}

/** A text, finished or still coming: what is settled is not rendered again, also not when the last of it has come. */
export function Markdown({ blocks: { settled, tail, code } }: { blocks: GrowingBlocks }) {
  return (
    <div className={styles.markdown}>
      <Blocks blocks={settled} />
      {tail.trim() !== '' && <Block key={settled.length} source={tail} />}
      {code && (
        <CodeFrame language={code.language} text={() => code.pieces.join('') + code.last}>
          {code.pieces.map((piece, index) => <Piece key={index} text={piece} />)}
          {code.last}
        </CodeFrame>
      )}
    </div>
  )
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <span className={styles.piece}>{text}</span>
})

const Blocks = memo(function Blocks({ blocks }: { blocks: readonly string[] }) {
  return blocks.map((source, index) => <Block key={index} source={source} />)
})

const gfm = [remarkGfm]

/** One block. Raw HTML comes out as the text that it is; nothing in it is fetched, and no link is followed unasked. */
const Block = memo(function Block({ source }: { source: string }) {
  const highlight = useSyncExternalStore(onHighlighter, highlighter)
  return (
    <ReactMarkdown remarkPlugins={gfm} rehypePlugins={highlight} components={components} urlTransform={(url) => webAddress(url) ?? ''}>
      {source}
    </ReactMarkdown>
  )
})

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

const components: Components = {
  a: ({ href, children }: Props<'a'>) => <Link href={href}>{children}</Link>,
  // A remote picture would tell its host that, and when, the answer was read.
  img: ({ src, alt }: Props<'img'>) => (
    <Link href={typeof src === 'string' ? src : undefined}><span className={styles.chip}>Picture{alt ? `: ${alt}` : ''}{typeof src === 'string' && src !== '' && ` (${new URL(src).host})`}</span></Link>
  ),
  pre: CodeBlock,
  table: ({ children }: Props<'table'>) => <div className={styles.tableFrame} role="region" aria-label="Table" tabIndex={0}><table>{children}</table></div>,
  // Heading levels inside an answer start below the room's own.
  h1: ({ children }: Props<'h1'>) => <h3 data-level="1">{children}</h3>,
  h2: ({ children }: Props<'h2'>) => <h3 data-level="2">{children}</h3>,
  h3: ({ children }: Props<'h3'>) => <h4 data-level="3">{children}</h4>,
  h4: ({ children }: Props<'h4'>) => <h4 data-level="4">{children}</h4>,
  h5: ({ children }: Props<'h5'>) => <h4 data-level="4">{children}</h4>,
  h6: ({ children }: Props<'h6'>) => <h4 data-level="4">{children}</h4>,
  input: ({ checked }: Props<'input'>) => <input type="checkbox" checked={checked === true} disabled readOnly aria-label={checked === true ? 'Done' : 'Not done'} />,
}
