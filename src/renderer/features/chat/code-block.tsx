import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import type { ElementContent } from 'hast'
import type { ExtraProps } from 'hast-util-to-jsx-runtime'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import { artifactOf, showArtifact } from './artifacts/artifact.ts'
import styles from './code-block.module.css'
import { CodeLines, CodeNodes, TextLines } from './code-lines.tsx'
import { colourCode } from './colour-code.ts'
import { Diagram } from './diagram.tsx'
import { Formula } from './formula.tsx'
import { codeWithOrderShown, turnsOrder, withOrderShown } from './text-order.tsx'
import { withoutPrompts } from './without-prompts.ts'
import { create } from 'zustand'

/** How code is shown, in every block alike. */
const useCodeView = create<{ readonly wrap: boolean; readonly numbers: boolean }>()(() => ({
  wrap: false,
  numbers: false,
}))

function toggleCodeView(part: 'wrap' | 'numbers'): void {
  useCodeView.setState((view) => ({ [part]: !view[part] }))
}

interface FrameProps {
  readonly language: string
  readonly text: () => string
  /** Shows the code as a document next to the chat. */
  readonly open?: () => void
  /** The code has characters that change the order of its letters. */
  readonly turned?: boolean
  readonly children: ReactNode
}

/** Code with the name of its language, view options and a copy button. */
export function CodeFrame({ language, text, open, turned = false, children }: FrameProps) {
  useLanguage()
  const { wrap, numbers } = useCodeView()
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.head}>
        <span className={styles.language}>{language || t`text`}</span>
        {open && (
          <button type="button" className={styles.toggle} title={t`Open next to the chat`} onClick={open}>
            <Trans>Open</Trans>
          </button>
        )}
        <Toggle on={wrap} press={() => toggleCodeView('wrap')} hint={t`Wrap long lines`}>{t`Wrap`}</Toggle>
        <Toggle
          on={numbers}
          press={() => toggleCodeView('numbers')}
          hint={t`Show line numbers`}
        >{t`Line numbers`}</Toggle>
        <CopyButton label={t`Copy code`} word text={() => withoutPrompts(language, text())} />
      </figcaption>
      {turned && (
        <p className={styles.turned} role="note">
          <Trans>
            This code contains characters that change text direction. They’re shown by name and have no effect
            here.
          </Trans>
        </p>
      )}
      <pre
        className={classNames(styles.code, wrap && styles.wrapped, numbers && styles.numbered)}
        tabIndex={0}
        aria-label={language ? t`Code, ${language}` : t`Code`}
      >
        {children}
      </pre>
    </figure>
  )
}

function Toggle({
  on,
  press,
  hint,
  children,
}: {
  on: boolean
  press: () => void
  hint: string
  children: string
}) {
  return (
    <button type="button" className={styles.toggle} aria-pressed={on} title={hint} onClick={press}>
      {children}
    </button>
  )
}

/** Renders Markdown's code block, which is a `pre` around one `code`. */
export function CodeBlock({ node }: ComponentProps<'pre'> & ExtraProps) {
  const numbers = useCodeView((view) => view.numbers)
  const [code] = node?.children ?? []
  const written = code?.type === 'element' ? code.children : []
  const names = code?.type === 'element' ? code.properties['className'] : undefined
  const language = Array.isArray(names)
    ? names
        .map(String)
        .find((name) => name.startsWith('language-'))
        ?.slice('language-'.length)
        // Pandoc and R Markdown write `{.python}` and `{r}`.
        .replace(/^\{\.?([\w+#-]+)\}?$/, '$1')
    : undefined
  const text = textOf(written)
  const turned = turnsOrder(text)
  const coloured = useColours(language, text)
  if (language === 'math') return <Formula tex={text.trim()} display />
  const artifact = language === 'mermaid' ? undefined : artifactOf(language, text)
  const nodes = coloured === undefined ? written : turned ? codeWithOrderShown(coloured) : coloured
  const frame = (
    <CodeFrame
      language={language ?? ''}
      turned={turned}
      text={() => text.replace(/\n$/, '')}
      {...(artifact && { open: () => showArtifact(artifact) })}
    >
      <code>{numbers ? <CodeLines nodes={nodes} /> : <CodeNodes nodes={nodes} />}</code>
    </CodeFrame>
  )
  return language === 'mermaid' ? (
    <div>
      {frame}
      <Diagram source={text} />
    </div>
  ) : (
    frame
  )
}

/** The colored parts of the code, once they have arrived. Text that came later isn't colored yet. */
function useColours(language: string | undefined, text: string): ElementContent[] | undefined {
  const [late, setLate] = useState<{
    readonly language: string
    readonly text: string
    readonly nodes: ElementContent[]
  }>()
  useEffect(
    () =>
      language === undefined || language === 'math'
        ? undefined
        : colourCode(language, text, (nodes) => setLate({ language, text, nodes })),
    [language, text],
  )
  if (late?.language !== language || !late || !text.startsWith(late.text)) return undefined
  return text === late.text
    ? late.nodes
    : [...late.nodes, { type: 'text', value: text.slice(late.text.length) }]
}

/** Lines that are laid out together. */
const PIECE_LINES = 48
// eslint-disable-next-line regexp/no-super-linear-move -- wherever it is begun, a piece is found
const PIECE = new RegExp(`(?:[^\\n]*\\n){1,${String(PIECE_LINES)}}|[^\\n]+$`, 'g')

/** Code that is too long to color, as plain text in pieces. Pieces out of view aren't laid out. */
export function LongCode({ language, text }: { language: string; text: string }) {
  return (
    <CodeFrame language={language} turned={turnsOrder(text)} text={() => text.replace(/\n$/, '')}>
      {(text.match(PIECE) ?? []).map((piece, index) => (
        <CodePiece key={index} text={piece} far />
      ))}
    </CodeFrame>
  )
}

/** A piece of plain code. */
export function CodePiece({ text, far = false }: { text: string; far?: boolean }) {
  const numbers = useCodeView((view) => view.numbers)
  return (
    <span className={classNames(styles.piece, far && styles.far)}>
      {numbers ? <TextLines text={text} /> : withOrderShown(text)}
    </span>
  )
}

function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('')
}
