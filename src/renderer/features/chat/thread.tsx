import { t } from '@lingui/core/macro'
import { ArrowDown } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { Virtualizer, type CustomContainerComponentProps, type VirtualizerHandle } from 'virtua'
import type { ShownMessage } from '../../../shared/conversation-tree.ts'
import { classNames } from '../../ui/class-names.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { usePrinting } from '../../ui/use-printing.ts'
import { useShortcut } from '../../ui/use-shortcut.ts'
import { useChat } from './chat-store.ts'
import { hideFindBar, showFindBar, useFind } from './find/find-store.ts'
import { placeInView, useJump } from './jump.ts'
import { MessageRow } from './message-row.tsx'
import styles from './thread.module.css'
import { useFollow } from './use-follow.ts'

const ContextCutMark = lazyComponent(async () => (await import('./context-cut-mark.tsx')).ContextCutMark)
const FindBar = lazyComponent(async () => (await import('./find/find-bar.tsx')).FindBar)

/** Rows within this distance of the view stay in the page, in pixels: a few screens for search and selection. */
const BUFFER = 1200
/**
 * Rows above an arriving reply that stay in the page: at most so many, and no more after they have this many
 * characters.
 */
const MAX_CACHED_ROWS = 12
const MAX_CACHED_LENGTH = 8000

/** The branch of a conversation that is shown. Only messages near the view are in the page. */
export function Thread({
  conversationId,
  shown,
}: {
  conversationId: string
  shown: readonly ShownMessage[]
}) {
  const live = useChat((state) => state.live[conversationId])
  const conversation = useChat((state) => state.conversations?.find(({ id }) => id === conversationId))
  const cut = conversation?.contextCut
  const { scroller, content, away, toEnd, leadTo, isLeading } = useFollow()
  const list = useRef<VirtualizerHandle>(null)

  // The list's own scrolling would continue as long as a reply grows, against the reader.
  const leadToRow = useCallback(
    (index: number) => leadTo((top) => (list.current ? placeInView(list.current, index, top) : top)),
    [leadTo],
  )

  const finding = useFind((state) => state.open)
  useShortcut('find', showFindBar)
  useEffect(() => hideFindBar, [])

  const jump = useJump((state) => state.to)
  useLayoutEffect(() => {
    const index = jump ? shown.findIndex(({ message }) => message.id === jump.messageId) : -1
    if (index < 0) return
    useJump.setState({ to: undefined })
    leadToRow(index)
  }, [jump, shown, leadToRow])

  // A person who sends a message wants to see its reply, but not one who opens a message while a reply arrives.
  const answerId = live?.at(-1)?.answerId
  const mountedRows = useMemo(() => (answerId === undefined ? none : lastRows(shown)), [answerId, shown])
  useEffect(() => {
    if (answerId !== undefined && !isLeading()) toEnd()
  }, [answerId, toEnd, isLeading])

  // The browser's own Home key stops before the first message, because rows get their final heights only when they are
  // drawn.
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Home' || event.target !== event.currentTarget) return
    event.preventDefault()
    leadToRow(0)
  }

  const printing = usePrinting()
  const rowOf = ({ message, at, of }: ShownMessage, index: number) => {
    const row = (
      <MessageRow
        key={message.id}
        message={message}
        at={at}
        of={of}
        live={live?.find(({ answerId: coming }) => coming === message.id)}
        last={index === shown.length - 1}
      />
    )
    if (!cut || cut.messageId !== message.id) return row
    return (
      <div key={message.id}>
        {row}
        <ContextCutMark conversation={conversation} summary={cut.summary} />
      </div>
    )
  }

  return (
    <div className={styles.frame} data-print>
      {finding && <FindBar shown={shown} scroller={scroller} />}
      <div
        className={styles.scroller}
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={t`Messages`}
        onKeyDown={pressed}
      >
        <div className={classNames(styles.content, live && styles.coming)} ref={content}>
          {printing ? (
            shown.map(rowOf)
          ) : (
            <Virtualizer
              ref={list}
              scrollRef={scroller}
              bufferSize={BUFFER}
              data={shown}
              as={Rows}
              keepMounted={mountedRows}
            >
              {rowOf}
            </Virtualizer>
          )}
        </div>
      </div>
      {away && (
        <button type="button" className={styles.end} onClick={toEnd}>
          <ArrowDown size={15} strokeWidth={1.75} aria-hidden />
          {live ? t`Follow reply` : t`Jump to latest`}
        </button>
      )}
    </div>
  )
}

/** Rows stay clickable while the list moves, which it does all the time that it follows a reply. */
function Rows({ style, ...rest }: CustomContainerComponentProps) {
  return <div {...rest} style={{ ...style, pointerEvents: undefined }} />
}

const none: readonly number[] = []

/**
 * The places of the last rows. The list keeps rows above the view only while it isn't scrolling, which alternates
 * between the lines of a reply that it follows. Without this list, those rows would be removed and created again
 * several times per second.
 */
function lastRows(shown: readonly ShownMessage[]): readonly number[] {
  const places: number[] = []
  let length = 0
  for (
    let place = shown.length - 1;
    place >= 0 && places.length < MAX_CACHED_ROWS && length < MAX_CACHED_LENGTH;
    place--
  ) {
    places.unshift(place)
    length += shown[place]?.message.text.length ?? 0
  }
  return places
}
