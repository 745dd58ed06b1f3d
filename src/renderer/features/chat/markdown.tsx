import { Trans } from '@lingui/react/macro'
import { memo, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { splitText, type GrowingBlocks } from './blocks.ts'
import { CodePiece, LongCode } from './code-block.tsx'
import { CodeFrame } from './code-frame.tsx'
import { detailsOf, type Details } from './details.ts'
import { GrowingText } from './diagram-block.tsx'
import { fencedCode, withLongFence } from './fences.ts'
import type { Footnote } from './footnote-source.ts'
import { NoteList, WithNotes } from './footnotes.tsx'
import { Formula } from './formula.tsx'
import { withoutComment } from './html-comment.ts'
import { ifThereIsTime, whenThereIsTime } from './frame-budget.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { imageBlock } from './data-image.ts'
import styles from './markdown.module.css'
import { displayFormula } from './math-source.ts'
import { isNestedDeep, isTangled } from './nesting.ts'
import { onProseParser, proseParser, preloadMarkdown, type ParseProse } from './prose-parser.ts'
import { headingShift, WithHeadingShift } from './reply-headings.tsx'
import { hasLongWord, turnsOrder } from './text-order.tsx'

const Picture = lazyComponent<{ address: string; alt: string }>(
  async () => (await import('./embedded-picture.tsx')).Picture,
)

/** A finished text in blocks. */
export function finished(text: string): GrowingBlocks {
  const { blocks, notes } = splitText(text)
  return { settled: blocks, tail: '', code: undefined, notes }
}

const noNotes: readonly Footnote[] = []

/** A text that is finished or still arriving. Settled blocks aren't rendered again, even when the last part arrives. */
export function Markdown({ blocks: { settled, tail, code, notes = noNotes } }: { blocks: GrowingBlocks }) {
  return (
    <WithNotes notes={notes}>
      <div className={styles.markdown} data-reply>
        <WithHeadingShift value={headingShift(settled, tail)}>
          {groupsOf(settled.length + 1).map((from) => (
            <Blocks key={from} settled={settled} from={from} tail={tail} />
          ))}
          {code && (
            <CodeFrame
              language={code.language}
              turned={turnsOrder(code.last)}
              text={() => code.pieces.join('') + code.last}
            >
              {code.pieces.map((piece, index) => (
                <Piece key={index} text={piece} />
              ))}
              <CodePiece text={code.last} />
            </CodeFrame>
          )}
          {notes.length > 0 && <NoteList notes={notes} render={(source) => <Block source={source} />} />}
        </WithHeadingShift>
      </div>
    </WithNotes>
  )
}

const Piece = memo(CodePiece)

/** Blocks that are compared together. */
const GROUP = 32

/** The index at which each group starts. */
function groupsOf(count: number): number[] {
  return Array.from({ length: Math.ceil(count / GROUP) }, (_, group) => group * GROUP)
}

interface BlocksProps {
  readonly settled: readonly string[]
  readonly from: number
  readonly tail: string
}

/** Some blocks of a text. The block being written is the last, and stays the same element when it is settled. */
const Blocks = memo(function Blocks({ settled, from, tail }: BlocksProps) {
  const sources = settled.slice(from, from + GROUP)
  const last = sources.length < GROUP ? tail.replace(/^\n+/, '').trimEnd() : ''
  return [...sources, ...(last === '' ? [] : [last])].map((source, index) => (
    <GrowingText key={index} value={index === sources.length}>
      <Block source={source} />
    </GrowingText>
  ))
}, sameBlocks)

/** Whether the group is unchanged. New text doesn't affect a group that is full. */
function sameBlocks(before: BlocksProps, { settled, from, tail }: BlocksProps): boolean {
  const full = settled.length >= from + GROUP && before.settled.length >= from + GROUP
  if (!full && (before.tail !== tail || before.settled.length !== settled.length)) return false
  return (
    before.settled === settled ||
    settled.slice(from, from + GROUP).every((source, index) => source === before.settled[from + index])
  )
}

/** Longer code, in characters, isn't colored. */
const LONG_CODE = 40_000

/** One block. It loads nothing, and follows no link unless the person asks. */
const Block = memo(function Block({ source }: { source: string }) {
  const formula = displayFormula(source)
  if (formula)
    return formula.closed ? (
      <Formula tex={formula.tex} display />
    ) : (
      <p className={styles.plain} dir="auto" data-long-word={hasLongWord(source)}>
        {source}
      </p>
    )
  const image = imageBlock(source)
  if (image)
    return (
      <p>
        <Picture address={image.address} alt={image.alt} />
      </p>
    )
  const details = detailsOf(source)
  if (details) return <Section {...details} />
  const rest = withoutComment(source)
  if (rest !== undefined) return rest === '' ? null : <Prose source={rest} />
  if (source.length > LONG_CODE) {
    const code = fencedCode(source)
    return code ? (
      <LongCode language={code.language} text={code.text} />
    ) : (
      <p className={styles.plain} dir="auto" data-long-word={hasLongWord(source)}>
        {source}
      </p>
    )
  }
  const prose = <Prose source={source} />
  return hasLongWord(source) ? <div data-long-word>{prose}</div> : prose
})

/** A section that folds. Its body is split into blocks again. */
function Section({ summary, body, open }: Details) {
  const { blocks } = useMemo(() => splitText(body), [body])
  return (
    <details className={styles.section} open={open}>
      <summary>{summary === '' ? <Trans>Details</Trans> : <Prose source={summary} />}</summary>
      <div className={styles.sectionBody}>
        {blocks.map((block, index) => (
          <Block key={index} source={block} />
        ))}
      </div>
    </details>
  )
}

function Prose({ source }: { source: string }) {
  const parse = useSyncExternalStore(onProseParser, proseParser)
  useEffect(() => void preloadMarkdown(), [])
  const now = useMemo(() => (parse ? ifThereIsTime(() => parsed(source, parse)) : undefined), [source, parse])
  const [late, setLate] = useState<{ readonly of: string; readonly tree: ReactNode }>()
  useEffect(
    () =>
      now === undefined && parse
        ? whenThereIsTime(() => setLate({ of: source, tree: parsed(source, parse) }))
        : undefined,
    [now, source, parse],
  )
  return (
    now ??
    (late?.of === source ? (
      late.tree
    ) : (
      <p className={classNames(styles.plain, styles.far)} dir="auto">
        {source}
      </p>
    ))
  )
}

function parsed(source: string, parse: ParseProse): ReactNode {
  const text = (
    <p className={classNames(styles.plain, styles.far)} dir="auto">
      {source}
    </p>
  )
  if (fencedCode(source) === undefined && (isNestedDeep(source) || isTangled(source))) return text
  try {
    return parse(withLongFence(source))
  } catch {
    // The text is nested too deep for a page: show its source.
    return text
  }
}
