import { useEffect, useState, type ComponentProps } from 'react'
import type { ElementContent } from 'hast'
import type { ExtraProps } from 'hast-util-to-jsx-runtime'
import { classNames } from '../../ui/class-names.ts'
import { artifactOf, showArtifact } from './artifacts/artifact.ts'
import styles from './code-block.module.css'
import { CodeFrame, useCodeView } from './code-frame.tsx'
import { CodeLines, CodeNodes, TextLines } from './code-lines.tsx'
import { colourCode } from './colour-code.ts'
import { DiagramBlock } from './diagram-block.tsx'
import { Formula } from './formula.tsx'
import { codeWithOrderShown, turnsOrder, withOrderShown } from './text-order.tsx'

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
  const artifact = artifactOf(language, text)
  const nodes = coloured === undefined ? written : turned ? codeWithOrderShown(coloured) : coloured
  const Frame = language === 'mermaid' ? DiagramBlock : CodeFrame
  return (
    <Frame
      language={language ?? ''}
      turned={turned}
      text={text.replace(/\n$/, '')}
      {...(artifact && { open: () => showArtifact(artifact) })}
    >
      <code>{numbers ? <CodeLines nodes={nodes} /> : <CodeNodes nodes={nodes} />}</code>
    </Frame>
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
    <CodeFrame language={language} turned={turnsOrder(text)} text={text.replace(/\n$/, '')}>
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
