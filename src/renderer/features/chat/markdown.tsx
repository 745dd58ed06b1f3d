import { memo, useEffect, useMemo, useState, useSyncExternalStore, type ComponentProps, type ReactNode } from 'react'
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { classNames } from '../../ui/class-names.ts'
import { showLink } from '../../ui/link-store.ts'
import { webAddress } from '../../ui/web-address.ts'
import { fencedCode, splitText, type GrowingBlocks } from './blocks.ts'
import { CodeBlock, CodeFrame, CodePiece, LongCode } from './code-block.tsx'
import type { Footnote } from './footnote-source.ts'
import { NoteList, NoteReference, WithNotes } from './footnotes.tsx'
import { Formula } from './formula.tsx'
import { ifThereIsTime, whenThereIsTime } from './frame-budget.ts'
import { highlighter, noHighlighter, onHighlighter } from './highlight.ts'
import styles from './markdown.module.css'
import { displayFormula, markedFormula, markMath } from './math-source.ts'
import { isNestedDeep, isTangled, refuseDepth } from './nesting.ts'
import { showOrder, turnsOrder } from './text-order.tsx'

/** A finished text in blocks. */
export function finished(text: string): GrowingBlocks {
  const { blocks, notes } = splitText(text)
  return { settled: blocks, tail: '', code: undefined, notes }
}

const noNotes: readonly Footnote[] = []

/** A text, finished or still coming: what is settled is not rendered again, also not when the last of it has come. */
export function Markdown({ blocks: { settled, tail, code, notes = noNotes } }: { blocks: GrowingBlocks }) {
  return (
    <WithNotes notes={notes}>
      <div className={styles.markdown}>
        <Blocks blocks={settled} />
        {tail.trim() !== '' && <Block key={settled.length} source={tail} />}
        {code && (
          <CodeFrame language={code.language} turned={turnsOrder(code.last)} text={() => code.pieces.join('') + code.last}>
            {code.pieces.map((piece, index) => <Piece key={index} text={piece} />)}
            <CodePiece text={code.last} />
          </CodeFrame>
        )}
        {notes.length > 0 && <NoteList notes={notes} render={(source) => <Block source={source} />} />}
      </div>
    </WithNotes>
  )
}

const Piece = memo(CodePiece)

const Blocks = memo(function Blocks({ blocks }: { blocks: readonly string[] }) {
  return blocks.map((source, index) => <Block key={index} source={source} />)
})

/** Characters of code from which it is not coloured. */
const LONG_CODE = 40_000

/** One block. Raw HTML comes out as the text that it is; nothing in it is fetched, and no link is followed unasked. */
const Block = memo(function Block({ source }: { source: string }) {
  const formula = displayFormula(source)
  if (formula) return formula.closed ? <Formula tex={formula.tex} display /> : <p className={styles.plain}>{source}</p>
  if (source.length > LONG_CODE) {
    const code = fencedCode(source)
    return code ? <LongCode language={code.language} text={code.text} /> : <p className={styles.plain}>{source}</p>
  }
  return <Prose source={source} />
})

const gfm = [remarkGfm]

function Prose({ source }: { source: string }) {
  // Colouring comes late, and is for who has something to colour.
  const coloured = source.includes('```') || source.includes('~~~')
  const highlight = useSyncExternalStore(onHighlighter, coloured ? highlighter : noHighlighter, noHighlighter)
  const now = useMemo(() => ifThereIsTime(() => parsed(source, highlight)), [source, highlight])
  const [late, setLate] = useState<{ readonly of: string; readonly tree: ReactNode }>()
  useEffect(() => (now === undefined ? whenThereIsTime(() => setLate({ of: source, tree: parsed(source, highlight) })) : undefined), [now, source, highlight])
  return now ?? (late?.of === source ? late.tree : <p className={classNames(styles.plain, styles.far)}>{source}</p>)
}

type Plugins = ReturnType<typeof highlighter>

function parsed(source: string, highlight: Plugins): ReactNode {
  const text = <p className={classNames(styles.plain, styles.far)}>{source}</p>
  if (fencedCode(source) === undefined && (isNestedDeep(source) || isTangled(source))) return text
  try {
    return ReactMarkdown({ children: markMath(source), remarkPlugins: gfm, rehypePlugins: [refuseDepth, ...highlight, showOrder], components, urlTransform: addressOf })
  } catch {
    // Deeper than a page can hold: the text that it is.
    return text
  }
}

const NOTE = '#user-content-fn-'

/** Of an address, what leads to the web; of a footnote, its name. */
function addressOf(url: string, key: string, { properties }: { readonly properties: Readonly<Record<string, unknown>> }): string {
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

const components: Components = {
  a: ({ href, children }: Props<'a'>) => (href?.startsWith(NOTE) ? <NoteReference label={noteLabel(href)} /> : <Link href={href}>{children}</Link>),
  // The list of notes is the whole text's, and stands at its end.
  section: ({ node, children }: Props<'section'>) => (node?.properties['dataFootnotes'] === undefined ? <section>{children}</section> : null),
  code: ({ className, children }: Props<'code'>) => {
    const formula = typeof children === 'string' ? markedFormula(children) : undefined
    return formula ? <Formula {...formula} /> : <code className={className}>{children}</code>
  },
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
