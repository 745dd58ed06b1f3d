import { plural, t } from '@lingui/core/macro'
import { useId, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { cellText } from './cell-text.ts'
import { linesOf, expandFirstLevels, type JsonLine } from './json-lines.ts'
import styles from './json-tree.module.css'
import { pixelsOf, rowsIn, useViewport } from './use-viewport.ts'

const LINE_REM = 1.5
const MAX_EXPANDED_LINES = 200
const SHOWN = 500
/** The maximum length of a collapsed value's preview. */
const PREVIEWED = 140

/**
 * An answer as a tree: expanded values take a line for each member, and only the visible lines are drawn.
 * Arrow keys move, expand and collapse.
 */
export function JsonTree({
  answer,
  label,
  onLook,
}: {
  answer: unknown
  label: string
  onLook: (line: JsonLine) => void
}) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [size] = useState(() => pixelsOf(LINE_REM))
  const [open, setOpen] = useState(() => expandFirstLevels(answer, MAX_EXPANDED_LINES))
  const [closedRoot, setClosedRoot] = useState(false)
  const [at, setAt] = useState<string>()
  const lines = useMemo(() => linesOf(answer, open, closedRoot), [answer, open, closedRoot])
  const { first, end } = rowsIn(useViewport(scroller, size), size, lines.length)
  const index = useMemo(
    () =>
      Math.max(
        0,
        lines.findIndex((line) => line.id === at),
      ),
    [lines, at],
  )
  const turn = (line: JsonLine) => {
    if (line.open === undefined) return
    if (line.level === 0) setClosedRoot(line.open)
    else if (line.open) setOpen(new Set([...open].filter((each) => each !== line.id)))
    else setOpen(new Set([...open, line.id]))
  }
  const go = (to: number) => {
    const line = lines[Math.max(0, Math.min(lines.length - 1, to))]
    const element = scroller.current
    if (!line || !element) return
    const top = lines.indexOf(line) * size
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + size > element.scrollTop + element.clientHeight)
      element.scrollTop = top + size - element.clientHeight
    setAt(line.id)
    onLook(line)
  }
  const pressed = (event: KeyboardEvent) => {
    const line = lines[index]
    if (!line || event.altKey) return
    const parent = lines.slice(0, index).findLastIndex(({ level }) => level < line.level)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / size) - 1)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowUp: () => go(index - 1),
      ArrowDown: () => go(index + 1),
      ArrowRight: () => (line.open === false ? turn(line) : line.open === true ? go(index + 1) : undefined),
      ArrowLeft: () => (line.open === true ? turn(line) : parent >= 0 ? go(parent) : undefined),
      PageUp: () => go(index - page),
      PageDown: () => go(index + page),
      Home: () => go(0),
      End: () => go(lines.length - 1),
      Enter: () => turn(line),
      ' ': () => turn(line),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  const clicked = (event: MouseEvent) => {
    const found = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-at]') : null
    const line = found === null ? undefined : lines[Number(found.dataset['at'])]
    if (!line) return
    setAt(line.id)
    onLook(line)
    turn(line)
  }
  return (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label={label}
      aria-activedescendant={index >= first && index < end ? `${id}-${String(index)}` : undefined}
      tabIndex={0}
      onKeyDown={pressed}
      onClick={clicked}
    >
      <div role="presentation" className={styles.content} style={{ blockSize: size * lines.length }}>
        {lines.slice(first, end).map((line, offset) => (
          <div
            key={line.id}
            id={`${id}-${String(first + offset)}`}
            role="treeitem"
            aria-level={line.level + 1}
            aria-expanded={line.open}
            aria-selected={line.id === at}
            className={classNames(styles.line, line.id === at && styles.marked)}
            style={{
              transform: `translateY(${String((first + offset) * size)}px)`,
              blockSize: size,
              paddingInlineStart: `${String(Math.min(line.level, 24) * 1.1 + 0.4)}rem`,
            }}
            data-at={first + offset}
          >
            <span className={styles.sign} aria-hidden>
              {line.open === undefined ? '' : line.open ? '▾' : '▸'}
            </span>
            {line.name !== undefined && (
              <span className={styles.name}>
                {typeof line.name === 'number' ? line.name : line.name.slice(0, 120)}
              </span>
            )}
            <Value line={line} />
          </div>
        ))}
      </div>
    </div>
  )
}

function Value({ line: { value, open, holds, leftOut } }: { line: JsonLine }) {
  if (leftOut !== undefined)
    return <span className={styles.quiet}>{t`${formatCount(leftOut)} more in the saved result`}</span>
  if (open !== undefined && holds !== undefined) {
    const size = Array.isArray(value)
      ? plural(holds, { one: '# item', other: '# items' })
      : plural(holds, { one: '# field', other: '# fields' })
    return (
      <span className={styles.quiet}>
        {size}
        {!open && <>: {cellText(value, PREVIEWED)}</>}
      </span>
    )
  }
  if (typeof value === 'string')
    return (
      <span>
        {JSON.stringify(value.slice(0, SHOWN))}
        {value.length > SHOWN && '…'}
      </span>
    )
  if (Array.isArray(value)) return <span className={styles.quiet}>[]</span>
  if (typeof value === 'object' && value !== null) return <span className={styles.quiet}>{'{}'}</span>
  return <span className={styles.plain}>{value === null ? 'null' : cellText(value, SHOWN)}</span>
}
