import { t } from '@lingui/core/macro'
import type { Components, ExtraProps } from 'hast-util-to-jsx-runtime'
import { useRef, type ComponentProps, type ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import { showLink } from '../../ui/link-store.ts'
import { PASSAGE } from './citation-marks.ts'
import { CodeBlock } from './code-block.tsx'
import { NoteReference } from './footnotes.tsx'
import { Formula } from './formula.tsx'
import styles from './markdown.module.css'
import { markedFormula } from './math-source.ts'
import { Picture } from './embedded-picture.tsx'
import { headings } from './reply-headings.tsx'
import { richText, tableText } from './rich-copy.ts'
import { callouts, type Callout } from './prose-text.ts'

/** The beginning of the address of a footnote reference. */
export const NOTE = '#user-content-fn-'

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

/** A mark that names a passage. The reply around it opens the passage, because only it knows its passages. */
function PassageReference({ number }: { number: number }) {
  useLanguage()
  return (
    <button type="button" className={styles.reference} aria-label={t`Source ${number}`} data-source={number}>
      {number}
    </button>
  )
}

/** The file of a tool that ran at the provider. */
function SandboxFile({ children }: { children: ReactNode }) {
  useLanguage()
  return (
    <span
      className={styles.noLink}
      title={t`The model’s tool saved this file. The reply doesn’t include it.`}
    >
      {children} <span className={styles.unavailable}>{t`(file not included in the reply)`}</span>
    </span>
  )
}

function Quotation({
  callout,
  dir,
  children,
}: {
  callout: Callout | undefined
  dir: string | undefined
  children: ReactNode
}) {
  useLanguage()
  return (
    <blockquote dir={dir} data-callout={callout}>
      {callout && <p className={styles.calloutName}>{calloutName[callout]}</p>}
      {children}
    </blockquote>
  )
}

const calloutName: Readonly<Record<Callout, string>> = {
  get note() {
    return t({ message: 'Note', context: 'callout in a reply' })
  },
  get tip() {
    return t({ message: 'Tip', context: 'callout in a reply' })
  },
  get important() {
    return t({ message: 'Important', context: 'callout in a reply' })
  },
  get warning() {
    return t({ message: 'Warning', context: 'callout in a reply' })
  },
  get caution() {
    return t({ message: 'Caution', context: 'callout in a reply' })
  },
}

function PictureWords({ alt, host }: { alt: string; host: string }) {
  useLanguage()
  if (alt === '') return host === '' ? t`Image` : t`Image (${host})`
  return host === '' ? t`Image: ${alt}` : t`Image: ${alt} (${host})`
}

function TableFrame({ children, dir }: { children: ReactNode; dir: string | undefined }) {
  useLanguage()
  const table = useRef<HTMLTableElement>(null)
  return (
    <div className={styles.tableBlock}>
      <div className={styles.tableFrame} role="group" aria-label={t`Table`} tabIndex={0}>
        <table dir={dir} ref={table}>
          {children}
        </table>
      </div>
      <CopyButton
        label={t`Copy table`}
        text={() => (table.current ? tableText(table.current) : '')}
        html={() => (table.current ? richText(table.current) : '')}
      />
    </div>
  )
}

/** The check box of a task list. */
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

/** How each element of a reply is drawn. */
export const components: Partial<Components> = {
  a: ({ href, children, node }: Props<'a'>) => {
    if (href?.startsWith(NOTE)) return <NoteReference label={noteLabel(href)} />
    if (href?.startsWith(PASSAGE)) return <PassageReference number={Number(href.slice(PASSAGE.length))} />
    return node?.properties['dataSandbox'] === true ? (
      <SandboxFile>{children}</SandboxFile>
    ) : (
      <Link href={href}>{children}</Link>
    )
  },
  blockquote: ({ node, children, dir }: Props<'blockquote'>) => (
    <Quotation callout={callouts.find((known) => known === node?.properties['dataCallout'])} dir={dir}>
      {children}
    </Quotation>
  ),
  // The list of notes is the whole text's, and is at its end.
  section: ({ node, children }: Props<'section'>) =>
    node?.properties['dataFootnotes'] === undefined ? <section>{children}</section> : null,
  code: ({ className, children }: Props<'code'>) => {
    const formula = typeof children === 'string' ? markedFormula(children) : undefined
    return formula ? (
      <Formula {...formula} />
    ) : (
      <code className={className} dir="ltr">
        {children}
      </code>
    )
  },
  // A remote picture would reveal to its host that the reply was read, and when.
  img: ({ src, alt }: Props<'img'>) =>
    src?.startsWith('data:') ? (
      <Picture address={src} alt={alt ?? ''} />
    ) : (
      <Link href={src}>
        <span className={styles.chip}>
          <PictureWords alt={alt ?? ''} host={src === undefined || src === '' ? '' : new URL(src).host} />
        </span>
      </Link>
    ),
  pre: CodeBlock,
  table: ({ children, dir }: Props<'table'>) => <TableFrame dir={dir}>{children}</TableFrame>,
  ...headings,
  input: ({ checked }: Props<'input'>) => <Tick done={checked === true} />,
}
